import { plainToInstance, Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsIn,
  IsInstance,
  Matches,
  ValidateNested,
  validateSync,
  type ValidationError,
} from 'class-validator';
import type { Resource } from '#libs/oauth';
import { isJsonObject } from '#libs/platform';
import { IsText, WhenGiven } from './environment.js';
import {
  isResourceUrl,
  isScopeName,
  isSecretHash,
  isVisibleName,
  isVisibleText,
} from './variable-rules.js';
import { readListFile } from './variables.js';

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
}

class IntrospectionClient {
  @Matches(/^[\w.~-]{1,128}$/, { message: '1 to 128 characters of A-Z, a-z, 0-9, - . _ and ~' })
  clientId!: string;

  @IsText('64 digits 0-9 a-f, the SHA-256 of the secret, not of an empty text', isSecretHash)
  secretSha256!: string;
}

/** An entry of `RESOURCES_FILE`. */
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

type Found =
  | { readonly resources: readonly Resource[]; readonly faults?: never }
  | { readonly resources?: never; readonly faults: readonly string[] };

/** The resources of `RESOURCES_FILE`, or a line for each fault, which repeats no value of the file. */
export function readResources(path: string | undefined): Found {
  if (path === undefined) return { resources: [] };
  const fault = (what: string) => ({ faults: [`RESOURCES_FILE ${what}`] });
  const { content: listed, fault: unread } = readListFile(path);
  if (unread !== undefined) return fault(unread);
  if (listed.length > MAX_RESOURCES)
    return fault(`names a file with more than ${MAX_RESOURCES} entries`);
  const faults = listed.flatMap((entry, at) => {
    const wrong = entryFault(entry);
    return wrong === undefined
      ? []
      : [`RESOURCES_FILE names a file in whose entry ${at + 1} ${wrong}`];
  });
  return faults.length > 0 ? { faults } : { resources: listed as readonly Resource[] };
}

/** What is wrong with an entry, as the end of a sentence; undefined for a valid entry. */
export function entryFault(entry: unknown): string | undefined {
  if (!isJsonObject(entry)) return 'there is no object';
  const read = plainToInstance(ListedResource, entry);
  const [error] = validateSync(read, { whitelist: true, forbidNonWhitelisted: true });
  return error && describe(error);
}

/** The outermost fault, with the path of the member that has it. */
function describe({ property, constraints, children: [child] = [] }: ValidationError): string {
  const place = /^\d+$/.test(property) ? `entry ${Number(property) + 1}` : property;
  if (child && !constraints) return `${place}: ${describe(child)}`;
  if (constraints?.['whitelistValidation'] !== undefined) return UNKNOWN_MEMBER;
  return `${place} takes ${Object.values(constraints ?? {})[0]}`;
}

const UNKNOWN_MEMBER = 'there is a member that does not exist; remove it';
