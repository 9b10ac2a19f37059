import type { DataSource, EntityManager } from 'typeorm';
import { hashSecret } from '#libs/accounts';
import { BatchedRead, PreparedStatement } from '#libs/platform';
import type { KnownClient } from '../client/client.js';
import { isUseDue, toKnownClient } from '../client/client.store.js';
import { IS_BLOCKED } from './blocked.sql.js';
import type { GrantEntity } from './grant.entity.js';
import type { Uses } from './refresh-generations.js';
import { familyOf } from './refresh-token-family.js';
import type { TokenEntity, TokenKind } from './token.entity.js';

/** Whether an administrator suspends the use of a grant, by disabling its user or blocking its client. */
export interface GrantStanding {
  readonly grant: Pick<GrantEntity, 'clientId'>;
  readonly isUserDisabled: boolean;
  /** By its id, or by the host of the redirect URI that the grant was created with. */
  readonly isClientBlocked: boolean;
}

/** A presented code or token with everything that decides whether it is valid, read in one statement. */
export interface PresentedToken
  extends GrantStanding, Pick<TokenEntity, 'kind' | 'generation' | 'payload' | 'consumedAt'> {
  /** The token itself. */
  readonly value: string;
  readonly grant: PresentedGrant;
  /** The client of the grant as registered; undefined when it has expired or has a document. */
  readonly client: KnownClient | undefined;
  /** Whether the use of this client is due to be recorded. */
  readonly isClientDue: boolean;
  /** Whether its grant has a refresh token, so its code was exchanged. */
  readonly isExchanged: boolean;
  readonly uses: Uses;
}

type PresentedGrant = Pick<
  GrantEntity,
  | 'id'
  | 'userId'
  | 'clientId'
  | 'origin'
  | 'scope'
  | 'createdAt'
  | 'lastUsedAt'
  | 'expiresAt'
  | 'revokedAt'
>;

const STANDING = `
  CASE WHEN u.disabled_at IS NOT NULL THEN 1 ELSE 0 END AS is_disabled,
  CASE WHEN ${IS_BLOCKED} THEN 1 ELSE 0 END AS is_blocked`;

const FIND = new BatchedRead(
  'presented-token',
  ({ keys, now }) => `
    SELECT t.id_hash AS key, t.kind, t.generation, t.payload, t.consumed_at,
      g.id, g.user_id, g.client_id, g.origin, g.scope, g.created_at, g.last_used_at, g.expires_at, g.revoked_at,
      ${STANDING},
      c.metadata, c.secret_hash, CASE WHEN ${isUseDue('c', now)} THEN 1 ELSE 0 END AS is_client_due,
      COUNT(r.id_hash) AS refresh_tokens,
      MAX(CASE WHEN r.generation > t.generation AND r.consumed_at IS NOT NULL THEN 1 ELSE 0 END) AS later_used,
      ${now} - MIN(CASE WHEN r.generation = t.generation THEN r.consumed_at END) AS since_first_use,
      CASE WHEN g.arrived_generation > t.generation THEN ${now} - g.arrived_at END AS since_arrival
    FROM ${keys}
    JOIN oauth_tokens t ON t.id_hash = keys.value
    JOIN oauth_grants g ON g.id = t.grant_id
    JOIN users u ON u.id = g.user_id
    LEFT JOIN oauth_clients c ON c.id = g.client_id AND c.expires_at > ${now}
    LEFT JOIN oauth_tokens r
      ON r.grant_id = t.grant_id AND r.kind = 'RefreshToken' AND r.generation >= t.generation
    GROUP BY t.id_hash, g.id, u.id, c.id`,
);

const FIND_BY_FAMILY = new PreparedStatement(
  'replaced-token',
  `SELECT g.client_id, ${STANDING}
   FROM oauth_grants g JOIN users u ON u.id = g.user_id WHERE g.family_hash = $1`,
);

/** Finds a code or token even if it is used or expired or its grant is not active; undefined if never issued. */
export async function findPresentedToken(
  on: DataSource | EntityManager,
  value: string,
): Promise<PresentedToken | undefined> {
  const row = await FIND.find(on, hashSecret(value));
  return row && { value, ...toToken(row), grant: toGrant(row) };
}

/** Finds by its family a refresh token whose row was deleted when it was replaced; undefined if never issued. */
export async function findReplacedToken(
  dataSource: DataSource,
  refreshToken: string,
): Promise<GrantStanding | undefined> {
  const { rows } = await FIND_BY_FAMILY.run(dataSource, [hashSecret(familyOf(refreshToken))]);
  const [row] = rows;
  return row && { ...toStanding(row), grant: { clientId: String(row['client_id']) } };
}

/** Whether a token is of a kind, and its grant belongs to an origin and is not revoked. */
export const isOf = ({ kind, grant }: PresentedToken, wanted: TokenKind, origin: string) =>
  kind === wanted && grant.origin === origin && grant.revokedAt === null;

type Row = Record<string, unknown>;

const toStanding = (row: Row) => ({
  isUserDisabled: Number(row['is_disabled']) === 1,
  isClientBlocked: Number(row['is_blocked']) === 1,
});

const toToken = (row: Row) => ({
  ...toStanding(row),
  kind: row['kind'] as TokenEntity['kind'],
  generation: Number(row['generation']),
  payload: JSON.parse(String(row['payload'])) as TokenEntity['payload'],
  consumedAt: whole(row['consumed_at']) ?? null,
  client: row['metadata'] == null ? undefined : toKnownClient(row),
  isClientDue: Number(row['is_client_due']) === 1,
  isExchanged: Number(row['refresh_tokens']) > 0,
  uses: {
    isUsed: row['consumed_at'] != null,
    isLaterUsed: Number(row['later_used']) === 1,
    sinceFirstUseMs: whole(row['since_first_use']),
    sinceArrivalMs: whole(row['since_arrival']),
  },
});

const toGrant = (row: Row): PresentedGrant => ({
  id: String(row['id']),
  userId: String(row['user_id']),
  clientId: String(row['client_id']),
  origin: String(row['origin']),
  scope: String(row['scope']),
  createdAt: Number(row['created_at']),
  lastUsedAt: Number(row['last_used_at']),
  expiresAt: Number(row['expires_at']),
  revokedAt: whole(row['revoked_at']) ?? null,
});

const whole = (value: unknown) => (value == null ? undefined : Number(value));
