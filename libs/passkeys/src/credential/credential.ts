import type { CredentialEntity } from './credential.entity.js';

/** COSE ids of the accepted algorithms: EdDSA, ES256, RS256. The library's default depends on the runtime. */
export const ACCEPTED_ALGORITHMS = [-8, -7, -257];

/** The form of a credential id here: base64url, 16 to 1366 characters (contract, Registration). */
export const isCredentialId = (value: unknown): value is string =>
  typeof value === 'string' && /^[A-Za-z0-9_-]{16,1366}$/.test(value);

const MAX_TRANSPORTS = 8;

/** The first eight well-formed transports that a browser reported; malformed values are dropped. */
export function acceptedTransports(reported: unknown): string[] {
  if (!Array.isArray(reported)) return [];
  const wellFormed = reported.filter(
    (entry): entry is string => typeof entry === 'string' && /^[a-z-]{1,32}$/.test(entry),
  );
  return wellFormed.slice(0, MAX_TRANSPORTS);
}

/** A passkey as the relying party stores it (WebAuthn L3 §4, credential record). */
export type Credential = Readonly<
  Omit<CredentialEntity, 'user' | 'createdAt' | 'name' | 'lastUsedAt'>
>;

/** A new credential, before it has an owner. */
export type NewCredential = Omit<Credential, 'userId'>;

/** What an assertion reports about its authenticator. */
export type Asserted = Pick<Credential, 'signCount' | 'backedUp'>;

export const MAX_CREDENTIALS_PER_USER = 20;
