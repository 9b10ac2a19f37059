import { createHash } from 'node:crypto';
import { IsIn } from 'class-validator';
import { readEntries, repetitions } from './entry-list.js';
import { heldTo, IsText } from './environment.js';
import { isSecretHash, isVisibleName } from './variable-rules.js';

const isOneOrTwoHashes = (value: unknown) =>
  Array.isArray(value) &&
  (value.length === 1 || value.length === 2) &&
  value.every((hash: unknown) => typeof hash === 'string' && isSecretHash(hash));

export const ADMIN_ROLES = ['read', 'support', 'admin'] as const;

/** What a token may be used for; each role includes the ones before it. */
export type AdminRole = (typeof ADMIN_ROLES)[number];

export class AdminToken {
  @IsText('1 to 64 visible characters', isVisibleName)
  name!: string;

  @IsIn(ADMIN_ROLES, { message: 'read, support or admin' })
  role!: AdminRole;

  /** SHA-256 of the token in lower-case hex; two while the token is being replaced. */
  @heldTo('a list of one or two of 64 digits 0-9 a-f, not of an empty token', isOneOrTwoHashes)
  sha256!: string[];
}

export interface AdminTokenSources {
  readonly token?: string | undefined;
  readonly tokensFile?: string | undefined;
}

/** All tokens, and lines about faults of the file, which repeat nothing of its content; with such there is no token. */
export function readAdminTokens({ token, tokensFile }: AdminTokenSources) {
  const variable = 'ADMIN_TOKENS_FILE';
  const file = tokensFile === undefined ? undefined : readEntries(variable, tokensFile, AdminToken);
  const tokens = [...(token === undefined ? [] : [ownToken(token)]), ...(file?.entries ?? [])];
  const faults = file?.faults ?? repetitions(variable, tokens, 'name', 'sha256');
  return { tokens: faults.length > 0 ? [] : tokens, faults };
}

const ownToken = (token: string): AdminToken => ({
  name: 'admin-api',
  role: 'admin',
  sha256: [createHash('sha256').update(token).digest('hex')],
});
