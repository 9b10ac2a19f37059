import type { DataSource } from 'typeorm';
import { BatchedRead } from '#libs/platform';
import type { Session } from './session.js';

/** A stored session of an enabled account; it may have expired. */
export interface SignedIn {
  readonly session: Session;
  /** The only origin that the session is valid on. */
  readonly origin: string;
  readonly lastSeenAt: number;
}

const FIND = new BatchedRead(
  'signed-in',
  ({ keys }) => `
   SELECT s.token_hash AS key, s.id, s.origin, s.created_at, s.last_seen_at, s.expires_at, s.credential_id,
          s.user_id, u.display_name
   FROM ${keys}
   JOIN sessions s ON s.token_hash = keys.value
   JOIN users u ON u.id = s.user_id
   WHERE u.disabled_at IS NULL`,
);

/** Finds the session with a token hash, and its user. */
export async function findSignedIn(
  dataSource: DataSource,
  tokenHash: string,
): Promise<SignedIn | undefined> {
  const row = await FIND.find(dataSource, tokenHash);
  if (!row) return undefined;
  const credentialId = row['credential_id'];
  return {
    session: {
      tokenHash,
      id: String(row['id']),
      user: { id: String(row['user_id']), displayName: String(row['display_name']) },
      createdAt: Number(row['created_at']),
      expiresAt: Number(row['expires_at']),
      credentialId: credentialId == null ? null : String(credentialId),
    },
    origin: String(row['origin']),
    lastSeenAt: Number(row['last_seen_at']),
  };
}
