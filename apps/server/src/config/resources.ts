import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsBoolean,
  IsIn,
  IsInstance,
  Matches,
  ValidateNested,
} from 'class-validator';
import { entryFault, readEntries } from './entry-list.js';
import { IsText, WhenGiven } from './environment.js';
import {
  isResourceUrl,
  isScopeName,
  isSecretHash,
  isVisibleName,
  isVisibleText,
} from './variable-rules.js';

const MAX_RESOURCES = 32;
const MAX_SCOPES = 32;
const SCOPES = { message: `a list of 1 to ${MAX_SCOPES} scopes { name, description }` };
const INTROSPECTION = { message: 'an object { clientId, secretSha256 }, or is left out' };

export const SCOPE_NAME =
  '1 to 64 printable ASCII characters without spaces, quotes and backslashes, but not openid or offline_access';

class ResourceScope {
  @IsText(SCOPE_NAME, isScopeName)
  name!: string;

  @IsText('1 to 200 visible characters', isVisibleText)
  description!: string;

  @WhenGiven()
  @IsBoolean({ message: 'true or false' })
  writes?: boolean;
}

class IntrospectionClient {
  @Matches(/^[\w.~-]{1,128}$/, { message: '1 to 128 characters of A-Z, a-z, 0-9, - . _ and ~' })
  clientId!: string;

  @IsText('64 digits 0-9 a-f, the SHA-256 of the secret, not of an empty text', isSecretHash)
  secretSha256!: string;
}

class ListedResource {
  @IsText(
    'an https URL of at most 512 characters, or plain http on loopback, as browsers spell it, without user name, password and fragment',
    isResourceUrl,
  )
  resource!: string;

  @IsText('1 to 64 visible characters', isVisibleName)
  name!: string;

  @IsArray(SCOPES)
  @ArrayMinSize(1, SCOPES)
  @ArrayMaxSize(MAX_SCOPES, SCOPES)
  @IsInstance(ResourceScope, { ...SCOPES, each: true })
  @ValidateNested({ each: true, ...SCOPES })
  @Type(() => ResourceScope)
  scopes!: ResourceScope[];

  @IsIn(['opaque', 'jwt'], { message: 'opaque or jwt' })
  tokens!: 'opaque' | 'jwt';

  @WhenGiven()
  @IsInstance(IntrospectionClient, INTROSPECTION)
  @ValidateNested(INTROSPECTION)
  @Type(() => IntrospectionClient)
  introspection?: IntrospectionClient;
}

export function readResources(path: string | undefined) {
  if (path === undefined) return { entries: [] };
  return readEntries('RESOURCES_FILE', path, ListedResource, { most: MAX_RESOURCES });
}

/** What is wrong with a resource, as the end of a sentence; undefined for a valid one. */
export const resourceFault = (resource: unknown) => entryFault(ListedResource, resource);
