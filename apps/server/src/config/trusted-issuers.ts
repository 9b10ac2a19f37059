import { plainToInstance } from 'class-transformer';
import { IsIn, validateSync } from 'class-validator';
import type { TrustedIssuer } from '#libs/oauth';
import { heldTo, IsText, WhenGiven } from './environment.js';
import { isVisibleName } from './variable-rules.js';
import { readListFile } from './variables.js';

const MAX_LISTED = 100;
const MAX_CLIENT_ID_LENGTH = 512;
const MAX_TENANT_LENGTH = 255;

/** As `external_identities` stores it. */
const MAX_ISSUER_LENGTH = 255;

/** RFC 6749 §3.3 */
const SCOPE = /^[\x21\x23-\x5b\x5d-\x7e]{1,100}$/;

const isClientId = (text: string) =>
  text.trim() === text && text !== '' && text.length <= MAX_CLIENT_ID_LENGTH;

const isListOf = (rule: (entry: string) => boolean) => (value: unknown) =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.length <= MAX_LISTED &&
  new Set(value).size === value.length &&
  value.every((entry: unknown) => typeof entry === 'string' && rule(entry));

/** An https URL without credentials and fragment. */
function isKeySetUrl(value: string): boolean {
  const url = URL.parse(value);
  return url?.protocol === 'https:' && `${url.username}${url.password}${url.hash}` === '';
}

/** RFC 8414 §2: https, neither query nor fragment. */
const isIssuer = (value: string) =>
  value.length <= MAX_ISSUER_LENGTH && isKeySetUrl(value) && !/[?#\s]/.test(value);

const MEMBERS = 'issuer, name, jwksUri, tenant, clients, scopes, accounts and privateNetwork';

/** An entry of the file. Each message is the end of a sentence about an entry that "needs" something. */
class Entry implements TrustedIssuer {
  @IsText(
    'an issuer: an https URL of at most 255 characters without query and fragment, spelt as in the metadata of the identity provider',
    isIssuer,
  )
  issuer!: string;

  @IsText('a name of 1 to 64 visible characters', isVisibleName)
  name!: string;

  @WhenGiven()
  @IsText('an https URL as its jwksUri, or no jwksUri', isKeySetUrl)
  jwksUri?: string;

  @WhenGiven()
  @IsText(
    `a tenant of 1 to ${MAX_TENANT_LENGTH} characters, or no tenant`,
    (value) => value !== '' && value.length <= MAX_TENANT_LENGTH,
  )
  tenant?: string;

  @heldTo('clients: a list of 1 to 100 different client ids', isListOf(isClientId))
  clients!: string[];

  @heldTo(
    'scopes: a list of 1 to 100 different names of scopes',
    isListOf((text) => SCOPE.test(text)),
  )
  scopes!: string[];

  @IsIn(['linked', 'create'], { message: 'accounts: linked or create' })
  accounts!: 'linked' | 'create';

  @WhenGiven()
  @IsIn([true, false], { message: 'privateNetwork to be true or false, or left out' })
  privateNetwork?: boolean;
}

type Found =
  | { readonly issuers: readonly TrustedIssuer[] | undefined; readonly faults?: never }
  | { readonly issuers?: never; readonly faults: readonly string[] };

/**
 * The entries of `TRUSTED_ISSUERS_FILE`, undefined without the variable, or a line for each fault, which repeats
 * nothing of the file.
 */
export function readTrustedIssuers(path: string | undefined): Found {
  if (path === undefined) return { issuers: undefined };
  const what = 'a JSON list of one issuer or more; write [{ … }]';
  const { content: listed, fault } = readListFile(path, what, 1);
  if (fault !== undefined) return { faults: [`TRUSTED_ISSUERS_FILE ${fault}`] };
  const issuers = listed.map((entry) => plainToInstance(Entry, Object(entry) as object));
  const needs = issuers.map(needOf);
  const faults = issuers.flatMap((entry, at) => {
    const wrong =
      needs[at] ?? (needs.some(Boolean) ? undefined : needBeside(entry, issuers.slice(0, at)));
    return wrong === undefined ? [] : [faultAt(at, `needs ${wrong}`)];
  });
  return faults.length > 0 ? { faults } : { issuers };
}

const faultAt = (at: number, what: string) =>
  `TRUSTED_ISSUERS_FILE names a file whose entry ${at + 1} ${what}`;

/** A line for each issuer that has a scope beyond these. */
export const unknownScopeFaults = (
  issuers: readonly TrustedIssuer[],
  scopes: readonly string[],
): string[] =>
  issuers.flatMap((entry, at) =>
    entry.scopes.every((scope) => scopes.includes(scope))
      ? []
      : [faultAt(at, `needs other scopes: each has to be one of ${scopes.join(', ')}`)],
  );

function needOf(entry: unknown): string | undefined {
  if (!(entry instanceof Entry)) return `to be an object with ${MEMBERS}`;
  const options = { whitelist: true, forbidNonWhitelisted: true, stopAtFirstError: true };
  const [wrong] = validateSync(entry, options);
  const [rule, message] = Object.entries(wrong?.constraints ?? {})[0] ?? [];
  if (rule === 'whitelistValidation') return `to have no members but ${MEMBERS}`;
  return message ?? needOfPorts(entry);
}

/** Requests go to the default port of a public host alone, as those for client documents do. */
const needOfPorts = ({ issuer, jwksUri = issuer, privateNetwork }: Entry) =>
  !privateNetwork && [issuer, jwksUri].some((address) => new URL(address).port !== '')
    ? 'privateNetwork: true, since it names a port'
    : undefined;

/** What an entry needs so that it can stand beside the earlier ones. */
function needBeside({ issuer, name }: Entry, earlier: readonly Entry[]): string | undefined {
  if (earlier.some((one) => one.issuer === issuer)) {
    return 'an issuer that no other entry has; make the two one';
  }
  return earlier.some((one) => one.name === name) ? 'a name that no other entry has' : undefined;
}
