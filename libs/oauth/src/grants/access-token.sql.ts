import type { DataSource } from 'typeorm';
import type { User } from '#libs/accounts';
import { BatchedRead, PreparedStatement } from '#libs/platform';
import { NOT_BLOCKED } from './blocked.sql.js';

/** An access token whose grant is not revoked, whose user is enabled and whose client is not blocked; maybe expired. */
export interface StoredAccessToken {
  readonly generation: number;
  readonly payload: { readonly aud?: unknown; readonly scope?: string };
  readonly expiresAt: number;
  readonly user: User;
  readonly grant: {
    readonly id: string;
    readonly clientId: string;
    readonly app: string;
    readonly expiresAt: number;
    readonly arrivedGeneration: number;
  };
}

const FIND = new BatchedRead(
  'access-token',
  ({ keys }) => `
   SELECT t.id_hash AS key, t.generation, t.payload, t.expires_at, g.id AS grant_id, g.client_id, g.app,
          g.expires_at AS grant_expires_at, g.arrived_generation, g.user_id, u.display_name
   FROM ${keys}
   JOIN oauth_tokens t ON t.id_hash = keys.value
   JOIN oauth_grants g ON g.id = t.grant_id
   JOIN users u ON u.id = g.user_id
   WHERE t.kind = 'AccessToken'
     AND g.revoked_at IS NULL AND u.disabled_at IS NULL AND ${NOT_BLOCKED}`,
);

const IS_ACTIVE = new PreparedStatement(
  'grant-is-active',
  `SELECT 1 FROM oauth_grants g JOIN users u ON u.id = g.user_id
   WHERE g.id = $1 AND g.revoked_at IS NULL AND g.expires_at > $2
     AND u.disabled_at IS NULL AND ${NOT_BLOCKED}`,
);

/** Finds an access token with its grant and user by the token's hash. */
export async function findAccessToken(
  dataSource: DataSource,
  idHash: string,
): Promise<StoredAccessToken | undefined> {
  const row = await FIND.find(dataSource, idHash);
  return (
    row && {
      generation: Number(row['generation']),
      payload: JSON.parse(String(row['payload'])),
      expiresAt: Number(row['expires_at']),
      user: { id: String(row['user_id']), displayName: String(row['display_name']) },
      grant: {
        id: String(row['grant_id']),
        clientId: String(row['client_id']),
        app: String(row['app']),
        expiresAt: Number(row['grant_expires_at']),
        arrivedGeneration: Number(row['arrived_generation']),
      },
    }
  );
}

/** Whether a grant has not ended, its user is enabled and its client is not blocked. */
export async function isGrantActive(dataSource: DataSource, grantId: string): Promise<boolean> {
  const { rows } = await IS_ACTIVE.run(dataSource, [grantId, Date.now()]);
  return rows.length === 1;
}
