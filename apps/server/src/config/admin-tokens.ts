import { createHash } from 'node:crypto';
import { plainToInstance } from 'class-transformer';
import { IsIn, validateSync } from 'class-validator';
import { heldTo, IsText } from './environment.js';
import { isSecretHash, isVisibleName } from './variable-rules.js';
import { readListFile } from './variables.js';

const isOneOrTwoHashes = (value: unknown) =>
  Array.isArray(value) &&
  (value.length === 1 || value.length === 2) &&
  value.every((each: unknown) => typeof each === 'string' && isSecretHash(each));

export const ADMIN_ROLES = ['read', 'support', 'admin'] as const;

/** What a token may be used for; each role includes the ones before it. */
export type AdminRole = (typeof ADMIN_ROLES)[number];

/** An entry of `ADMIN_TOKENS_FILE`: a user of the administration API, and the role. */
export class AdminToken {
  /** The actor's name in the audit trail. */
  @IsText('1 to 64 visible characters', isVisibleName)
  name!: string;

  @IsIn(ADMIN_ROLES)
  role!: AdminRole;

  /** SHA-256 of the token in lower-case hex; two while the token is being replaced. */
  @heldTo('one or two hashes', isOneOrTwoHashes)
  sha256!: string[];
}

export interface AdminTokenSources {
  /** ADMIN_TOKEN */
  readonly token?: string | undefined;
  /** ADMIN_TOKENS_FILE */
  readonly tokensFile?: string | undefined;
}

type Found =
  | { readonly tokens: readonly AdminToken[]; readonly fault?: never }
  | { readonly tokens?: never; readonly fault: string };

const ENTRY =
  'name (1 to 64 visible characters), role (read, support or admin) and sha256 (one or two of 64 digits 0-9 a-f, not of an empty token)';

/** All tokens, or a line about the fault of the file that repeats nothing of its content. */
export function readAdminTokens({ token, tokensFile }: AdminTokenSources): Found {
  const own = token === undefined ? [] : [ownToken(token)];
  if (tokensFile === undefined) return { tokens: own };
  const file = readListFile(tokensFile);
  const fault = (what: string) => ({ fault: `ADMIN_TOKENS_FILE ${what}` });
  if (file.fault !== undefined) return fault(file.fault);
  const entries = file.content.map((entry) => plainToInstance(AdminToken, Object(entry) as object));
  const wrong = entries.findIndex((entry) => !isValid(entry));
  if (wrong >= 0)
    return fault(`names a file whose entry ${wrong + 1} does not have ${ENTRY} alone`);
  const tokens = [...own, ...entries];
  if (hasTwice(tokens.map(({ name }) => name))) return fault('gives one name to two tokens');
  if (hasTwice(tokens.flatMap(({ sha256 }) => sha256))) return fault('has one hash twice');
  return { tokens };
}

const ownToken = (token: string): AdminToken => ({
  name: 'admin-api',
  role: 'admin',
  sha256: [createHash('sha256').update(token).digest('hex')],
});

const isValid = (entry: AdminToken) =>
  entry instanceof AdminToken &&
  validateSync(entry, { whitelist: true, forbidNonWhitelisted: true }).length === 0;

const hasTwice = (texts: readonly string[]) => new Set(texts).size < texts.length;
