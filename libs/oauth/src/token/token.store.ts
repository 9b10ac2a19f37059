import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { hashSecret, type User } from '#libs/accounts';
import { BatchedRead, changesOf, type DependentSql, PreparedStatement } from '#libs/platform';
import { blocked } from '../clients/blocks/blocked.sql.js';
import type { KnownClient } from '../clients/client-metadata.js';
import { clientUse, isUseDue, toKnownClient } from '../clients/registered-client.sql.js';
import { GrantEntity } from '../grant/grant.entity.js';
import { OAUTH_OPTIONS, type OAuthOptions } from '../oauth.module-definition.js';
import { familyOf, isGood, type Uses } from './refresh-token.js';
import { TokenEntity, type TokenKind } from './token.entity.js';

/** SQL: whether the client of a grant `g` is blocked. */
export const IS_BLOCKED = blocked('g.client_id', 'g.redirect_host');

export const NOT_BLOCKED = `NOT ${IS_BLOCKED}`;

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

/**
 * What one request gets for a code or refresh token. The token is read once before the library decides,
 * and everything is written once after that: until then nothing is used up and nothing is issued.
 */
export class Redemption {
  private readonly given: NewToken[] = [];
  private used = false;

  constructor(readonly presented: PresentedToken) {}

  get isUsed(): boolean {
    return this.used;
  }

  get tokens(): readonly NewToken[] {
    return this.given;
  }

  /** Marks the presented code or token as used. False for any other value. */
  use(value: string): boolean {
    if (value !== this.presented.value) return false;
    this.used = true;
    return true;
  }

  give(token: NewToken): void {
    this.given.push(token);
  }
}

export interface NewToken {
  /** The token or code itself. */
  readonly value: string;
  readonly kind: TokenKind;
  readonly grantId: string;
  readonly generation: number;
  readonly payload: Record<string, unknown>;
  readonly expiresAt: number;
}

const INSERT = new PreparedStatement(
  'insert-token',
  ({ forShare }) => `
    INSERT INTO oauth_tokens (id_hash, kind, grant_id, generation, payload, created_at, expires_at)
    SELECT $1, $2, id, CAST($3 AS integer), $4, CAST($5 AS bigint), CAST($6 AS bigint)
    FROM oauth_grants WHERE id = $7 AND revoked_at IS NULL AND expires_at > $5 ${forShare}`,
);

/**
 * Stores tokens and codes by their hashes. Used codes stay until they would have expired, refresh tokens
 * until a later generation is used. After that their family identifies them, so that a replay is detected
 * however often a thief has refreshed since.
 */
@Injectable()
export class SqlTokenStore {
  constructor(private readonly dataSource: DataSource) {}

  /** Stores a token if its grant is active, in one statement; false when the grant is not. */
  async insert({
    value,
    kind,
    grantId,
    generation,
    payload,
    expiresAt,
  }: NewToken): Promise<boolean> {
    const now = Date.now();
    const { affected } = await INSERT.run(this.dataSource, [
      hashSecret(value),
      kind,
      generation,
      JSON.stringify(payload),
      now,
      expiresAt,
      grantId,
    ]);
    return affected === 1;
  }

  /** The token of an active grant on this origin, used or not, expired or not. */
  async find(value: string, kind: TokenKind, origin: string): Promise<PresentedToken | undefined> {
    const found = await findPresentedToken(this.dataSource, value);
    return found && isOf(found, kind, origin) ? found : undefined;
  }

  /**
   * Whether a token or code was issued to a client, on any origin, used or not, ended or not. A refresh
   * token whose row is deleted is found by its family.
   */
  async wasGivenTo(clientId: string, token: string): Promise<boolean> {
    const familyHash = hashSecret(familyOf(token));
    if (await this.dataSource.manager.existsBy(GrantEntity, { familyHash, clientId })) return true;
    return this.dataSource
      .createQueryBuilder(TokenEntity, 'token')
      .innerJoin('token.grant', 'grant')
      .where('token.idHash = :idHash', { idHash: hashSecret(token) })
      .andWhere('grant.clientId = :clientId', { clientId })
      .getExists();
  }

  /** The latest refresh token of the token's family, if its grant is active and belongs to this origin. */
  async findSuccessor(refreshToken: string, origin: string): Promise<TokenEntity | undefined> {
    const familyHash = hashSecret(familyOf(refreshToken));
    const found = await this.dataSource
      .createQueryBuilder(TokenEntity, 'token')
      .innerJoin('token.grant', 'grant')
      .where('grant.familyHash = :familyHash AND grant.origin = :origin', { familyHash, origin })
      .andWhere('grant.revokedAt IS NULL AND grant.expiresAt > :now', { now: Date.now() })
      .andWhere('token.kind = :kind', { kind: 'RefreshToken' })
      .orderBy('token.generation', 'DESC')
      .limit(1)
      .getOne();
    return found ?? undefined;
  }

  async remove(token: string): Promise<void> {
    await this.dataSource.manager.delete(TokenEntity, { idHash: hashSecret(token) });
  }
}

/** An age that no grant reaches. */
const NEVER_MS = 1e15;

/** More than a client holds that lost responses, and a low bound for one that only refreshes. */
const UNUSED_SIBLINGS_KEPT = 100;
const SIBLING_KEPT_MS = 60 * 1000;

/**
 * Optimistic lock: matches only if the grant is as it was read, since every redemption increases `last_used_at`.
 * A new refresh token restarts the idle lifetime, within the greatest age; the first one sets the family.
 */
const HOLD_GRANT = `
  UPDATE oauth_grants SET
    expires_at = COALESCE(CASE WHEN created_at + $4 < $5 THEN created_at + $4 ELSE $5 END, expires_at),
    last_used_at = CASE WHEN last_used_at < $3 THEN $3 ELSE last_used_at + 1 END,
    family_hash = COALESCE(family_hash, CAST($6 AS varchar(43)))
  WHERE id = $1 AND last_used_at = $2 AND revoked_at IS NULL AND expires_at > $3
    AND EXISTS (SELECT 1 FROM oauth_tokens WHERE id_hash = $7
                AND (kind = 'RefreshToken' OR consumed_at IS NULL))`;

const HAS_FAMILY = '(SELECT family_hash FROM oauth_grants WHERE id = $1) IS NOT NULL';

const GIVE: readonly DependentSql[] = [
  ({ now, decided }) => `
      UPDATE oauth_tokens SET consumed_at = ${now}
      WHERE id_hash = $7 AND consumed_at IS NULL AND ${decided}`,
  // Refresh tokens of earlier generations, which can never be valid again, and all but the newest unused
  // siblings of the new one. Their family identifies them if replayed. Grants without a family keep theirs.
  ({ decided }) => `
      DELETE FROM oauth_tokens
      WHERE grant_id = $1 AND kind = 'RefreshToken' AND ${HAS_FAMILY} AND ${decided}
        AND (generation < $8 OR created_at < $9 AND id_hash IN
          (SELECT id_hash FROM oauth_tokens
           WHERE grant_id = $1 AND kind = 'RefreshToken' AND generation = $8 + 1 AND consumed_at IS NULL
           ORDER BY created_at DESC LIMIT 1000 OFFSET ${UNUSED_SIBLINGS_KEPT}))`,
  ({ decided }) => `
      INSERT INTO oauth_tokens (id_hash, kind, grant_id, generation, payload, created_at, expires_at)
      SELECT id_hash, kind, CAST($1 AS varchar(64)), generation, payload, CAST($3 AS bigint), expires_at
      FROM (SELECT CAST($10 AS varchar(43)) AS id_hash, CAST($11 AS varchar(20)) AS kind, CAST($12 AS integer) AS generation,
              CAST($13 AS text) AS payload, CAST($14 AS bigint) AS expires_at
            UNION ALL SELECT CAST($15 AS varchar(43)), CAST($16 AS varchar(20)), CAST($17 AS integer),
              CAST($18 AS text), CAST($19 AS bigint)) AS given
      WHERE id_hash IS NOT NULL AND ${decided}`,
];

const REDEEM = new PreparedStatement('redeem', changesOf(HOLD_GRANT, ...GIVE));

const REDEEM_AND_NOTE_USE = new PreparedStatement(
  'redeem-and-note-use',
  changesOf(HOLD_GRANT, ...GIVE, clientUse('$20', 'CAST($3 AS bigint)')),
);

const LOCK_GRANT = new PreparedStatement(
  'lock-grant',
  ({ forUpdate }) => `SELECT 1 FROM oauth_grants WHERE id = $1 ${forUpdate}`,
);

/** Exchanges codes and refresh tokens for new tokens. */
@Injectable()
export class Redemptions {
  constructor(
    private readonly dataSource: DataSource,
    @Inject(OAUTH_OPTIONS) private readonly options: Pick<OAuthOptions, 'grantMaxAgeMs'>,
  ) {}

  /** A presented code or token; undefined if never issued. */
  async find(value: string): Promise<PresentedToken | undefined> {
    return findPresentedToken(this.dataSource, value);
  }

  /** The standing of the grant of a refresh token whose row is deleted; undefined if never issued. */
  async findReplaced(refreshToken: string): Promise<GrantStanding | undefined> {
    return findReplacedToken(this.dataSource, refreshToken);
  }

  /**
   * Atomically marks the presented code or token as used, stores the new tokens and records the use of the
   * client. Returns false and changes nothing when the code or token is no longer valid. Of concurrent calls for
   * a code exactly one returns true. Calls for refresh tokens of one grant run one after the other, across all
   * replicas, so that uses of two generations cannot overlap: the later call locks the grant and reads it again.
   */
  async redeem(redemption: Redemption): Promise<boolean> {
    const { presented } = redemption;
    if (await this.write(this.dataSource, redemption, presented)) return true;
    if (presented.kind !== 'RefreshToken') return false;
    return this.dataSource.transaction(async (manager) => {
      await LOCK_GRANT.run(manager, [presented.grant.id]);
      const current = await findPresentedToken(manager, presented.value);
      if (!current || !isGood(current.uses)) return false;
      return this.write(manager, redemption, current);
    });
  }

  private async write(
    on: DataSource | EntityManager,
    { tokens }: Redemption,
    { value, generation, grant, isClientDue }: PresentedToken,
  ): Promise<boolean> {
    const now = Date.now();
    const { grantMaxAgeMs = NEVER_MS } = this.options;
    const refreshToken = tokens.find(({ kind }) => kind === 'RefreshToken');
    const { affected } = await (isClientDue ? REDEEM_AND_NOTE_USE : REDEEM).run(on, [
      grant.id,
      grant.lastUsedAt,
      now,
      grantMaxAgeMs,
      refreshToken?.expiresAt ?? null,
      refreshToken?.generation === 0 ? hashSecret(familyOf(refreshToken.value)) : null,
      hashSecret(value),
      generation,
      now - SIBLING_KEPT_MS,
      ...rowOf(tokens[0]),
      ...rowOf(tokens[1]),
      grant.clientId,
    ]);
    return affected === 1;
  }
}

const rowOf = (token: NewToken | undefined) =>
  token
    ? [
        hashSecret(token.value),
        token.kind,
        token.generation,
        JSON.stringify(token.payload),
        token.expiresAt,
      ]
    : [null, null, null, null, null];

const NOTE = new PreparedStatement(
  'note-arrival',
  ({ now }) => `
    UPDATE oauth_grants SET arrived_generation = $1, arrived_at = ${now}
    WHERE id = $2 AND arrived_generation < $1`,
);

/** Records first uses of access tokens, which show that the response of their refresh reached the client. */
@Injectable()
export class Arrivals {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Records that the response with this generation reached the client: an access token of it was used. Only
   * the first call for a generation counts, across all replicas; an earlier generation changes nothing.
   */
  async note(grantId: string, generation: number): Promise<void> {
    await NOTE.run(this.dataSource, [generation, grantId]);
  }
}

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

const FIND_ACCESS_TOKEN = new BatchedRead(
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
  const row = await FIND_ACCESS_TOKEN.find(dataSource, idHash);
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
