import { IsIn } from 'class-validator';
import type { TrustedIssuer } from '#libs/oauth';
import { inEntry, readEntries, repetitions } from './entry-list.js';
import { heldTo, IsText, WhenGiven } from './environment.js';
import { isVisibleName } from './variable-rules.js';

const VARIABLE = 'TRUSTED_ISSUERS_FILE';
const MAX_LISTED = 100;

/** RFC 6749 §3.3 */
const SCOPE = /^[\x21\x23-\x5b\x5d-\x7e]{1,100}$/;

const isClientId = (text: string) => text.trim() === text && text !== '' && text.length <= 512;

const isListOf = (rule: (entry: string) => boolean) => (value: unknown) =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.length <= MAX_LISTED &&
  new Set(value).size === value.length &&
  value.every((entry: unknown) => typeof entry === 'string' && rule(entry));

/**
 * An https URL without credentials and fragment. Requests go to the default port of a public host alone, as those for
 * client documents do.
 */
function isKeySetUrl(value: string, entry: unknown): boolean {
  const url = URL.parse(value);
  if (url?.protocol !== 'https:' || `${url.username}${url.password}${url.hash}` !== '')
    return false;
  return url.port === '' || (entry as Partial<Entry>).privateNetwork === true;
}

/** RFC 8414 §2: https, neither query nor fragment; as long as `external_identities` stores it. */
const isIssuer = (value: string, entry: unknown) =>
  value.length <= 255 && isKeySetUrl(value, entry) && !/[?#\s]/.test(value);

class Entry implements TrustedIssuer {
  @IsText(
    'an https URL of at most 255 characters without query and fragment, spelt as in the metadata of the identity provider; a port takes privateNetwork: true',
    isIssuer,
  )
  issuer!: string;

  @IsText('1 to 64 visible characters', isVisibleName)
  name!: string;

  @WhenGiven()
  @IsText('an https URL, or is left out; a port takes privateNetwork: true', isKeySetUrl)
  jwksUri?: string;

  @WhenGiven()
  @IsText('1 to 255 characters, or is left out', (value) => /^.{1,255}$/s.test(value))
  tenant?: string;

  @heldTo('a list of 1 to 100 different client ids', isListOf(isClientId))
  clients!: string[];

  @heldTo('a list of 1 to 100 different names of scopes', isListOf((text) => SCOPE.test(text)))
  scopes!: string[];

  @IsIn(['linked', 'create'], { message: 'linked or create' })
  accounts!: 'linked' | 'create';

  @WhenGiven()
  @IsIn([true, false], { message: 'true or false, or is left out' })
  privateNetwork?: boolean;
}

export function readTrustedIssuers(path: string | undefined) {
  if (path === undefined) return { issuers: undefined, faults: [] };
  const { entries = [], faults } = readEntries(VARIABLE, path, Entry, { least: 1 });
  return { issuers: entries, faults: faults ?? repetitions(VARIABLE, entries, 'issuer', 'name') };
}

export const unknownScopeFaults = (
  issuers: readonly TrustedIssuer[],
  names: readonly string[],
): string[] =>
  issuers.flatMap(({ scopes }, at) =>
    scopes.every((scope) => names.includes(scope))
      ? []
      : [inEntry(VARIABLE, at, `each of scopes has to be one of ${names.join(', ')}`)],
  );
