import { createSecretKey, type KeyObject } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { hashSecret } from '#libs/accounts';
import {
  BatchedRead,
  changesOf,
  type DependentSql,
  type Dialect,
  expiredRows,
  getServiceKey,
  PreparedStatement,
} from '#libs/platform';
import { grantBlocked } from '../client/client-block.store.js';
import { clientUse, isUseDue, toKnownClient } from '../client/client.store.js';
import { GrantEntity } from '../grant/grant.entity.js';
import { OAUTH_OPTIONS, type OAuthOptions } from '../oauth.module-definition.js';
import { scopeWords } from '../scope.js';
import { familyOf, isRefreshTokenValid, mayHaveBeenIssued } from './refresh-token.js';
import { TokenEntity, type TokenKind } from './token.entity.js';
import {
  type GrantStatus,
  hasKindAndOrigin,
  type IssuedTokens,
  type NewToken,
  type PresentedToken,
  type StoredAccessToken,
} from './token.js';

const INSERT = new PreparedStatement(
  'insert-token',
  ({ forShare }) => `
    INSERT INTO oauth_tokens (id_hash, kind, grant_id, generation, payload, created_at, expires_at)
    SELECT $1, $2, id, CAST($3 AS integer), $4, CAST($6 AS bigint), CAST($5 AS bigint)
    FROM oauth_grants WHERE id = $7 AND revoked_at IS NULL AND expires_at > $6 ${forShare}`,
);

const statusOf = (dialect: Dialect) =>
  `g.client_hosts, u.disabled_at IS NOT NULL AS is_disabled, ${grantBlocked(dialect)} AS is_blocked`;

const FIND_PRESENTED = new BatchedRead(
  'presented-token',
  ({ keys, now, ...dialect }) => `
    SELECT t.id_hash AS key, t.kind, t.generation, t.payload, t.consumed_at,
      g.id, g.user_id, g.client_id, g.app, g.origin, g.resource, g.scope, g.created_at, g.last_used_at, g.expires_at,
      g.revoked_at,
      ${statusOf({ now, ...dialect })},
      c.metadata, c.secret_hash, ${isUseDue('c', now)} AS is_client_due,
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
  (dialect) => `
   SELECT g.client_id, ${statusOf(dialect)}
   FROM oauth_grants g JOIN users u ON u.id = g.user_id WHERE g.family_hash = $1`,
);

const FIND_ACCESS_TOKEN = new BatchedRead(
  'access-token',
  ({ keys, ...dialect }) => `
   SELECT t.id_hash AS key, t.generation, t.payload, t.expires_at, g.id AS grant_id, g.client_id, g.app, g.origin,
          g.expires_at AS grant_expires_at, g.arrived_generation, g.user_id, u.display_name
   FROM ${keys}
   JOIN oauth_tokens t ON t.id_hash = keys.value
   JOIN oauth_grants g ON g.id = t.grant_id
   JOIN users u ON u.id = g.user_id
   WHERE t.kind = 'AccessToken'
     AND g.revoked_at IS NULL AND u.disabled_at IS NULL AND NOT ${grantBlocked(dialect)}`,
);

const KEY_NAME = 'refresh-tokens';

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
    family_hash = COALESCE(family_hash, CAST($6 AS varchar(43))),
    client_hosts = CAST($20 AS text)
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
  changesOf(HOLD_GRANT, ...GIVE, clientUse('$21', 'CAST($3 AS bigint)')),
);

const LOCK_GRANT = new PreparedStatement(
  'lock-grant',
  ({ forUpdate }) => `SELECT 1 FROM oauth_grants WHERE id = $1 ${forUpdate}`,
);

export const expiredTokens = expiredRows(TokenEntity, 'idHash');

/**
 * Codes and tokens, stored by their hashes. Used codes stay until they would have expired, refresh tokens until a
 * later generation is used. After that their family identifies them, so that a replay is detected however often a
 * thief has refreshed since.
 */
@Injectable()
export class TokenStore {
  private key: KeyObject | undefined;

  constructor(
    private readonly dataSource: DataSource,
    @Inject(OAUTH_OPTIONS) private readonly options: Pick<OAuthOptions, 'grantMaxAgeMs'>,
  ) {}

  /** Stores a token if its grant is active, in one statement; false when the grant is not. */
  async insert(
    token: NewToken,
    on: DataSource | EntityManager = this.dataSource,
  ): Promise<boolean> {
    const values = [...valuesOf(token), Date.now(), token.grantId];
    return (await INSERT.run(on, values)).affected === 1;
  }

  /** A code or token even if it is used or expired or its grant is not active; undefined if never issued. */
  async findPresented(
    value: string,
    on: DataSource | EntityManager = this.dataSource,
  ): Promise<PresentedToken | undefined> {
    const row = await FIND_PRESENTED.find(on, hashSecret(value));
    return row && toPresented(value, row);
  }

  /** The token of a grant on this origin that is not revoked, used or not, expired or not. */
  async find(value: string, kind: TokenKind, origin: string): Promise<PresentedToken | undefined> {
    const found = await this.findPresented(value);
    return found && hasKindAndOrigin(found, kind, origin) ? found : undefined;
  }

  /** Authenticates refresh tokens; all replicas have the same one. */
  async refreshTokenKey(): Promise<KeyObject> {
    return (this.key ??= createSecretKey(await getServiceKey(this.dataSource, KEY_NAME)));
  }

  /** The status of the grant of a refresh token whose row is deleted, by its family; undefined if never issued. */
  async findReplaced(refreshToken: string): Promise<GrantStatus | undefined> {
    if (!mayHaveBeenIssued(await this.refreshTokenKey(), refreshToken)) return undefined;
    const family = hashSecret(familyOf(refreshToken));
    const [row] = (await FIND_BY_FAMILY.run(this.dataSource, [family])).rows;
    if (!row) return undefined;
    const clientHosts = textOrNull(row['client_hosts']);
    return { ...toStatus(row), grant: { clientId: String(row['client_id']), clientHosts } };
  }

  /** The latest refresh token of an issued token's family, if its grant is active and belongs to this origin. */
  async findSuccessor(refreshToken: string, origin: string): Promise<TokenEntity | undefined> {
    if (!mayHaveBeenIssued(await this.refreshTokenKey(), refreshToken)) return undefined;
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

  /**
   * Whether a token or code was issued to a client, on any origin, used or not, ended or not. A refresh
   * token whose row is deleted is found by its family, as is one that was altered.
   */
  async wasIssuedTo(clientId: string, token: string): Promise<boolean> {
    const familyHash = hashSecret(familyOf(token));
    if (await this.dataSource.manager.existsBy(GrantEntity, { familyHash, clientId })) return true;
    return this.dataSource
      .createQueryBuilder(TokenEntity, 'token')
      .innerJoin('token.grant', 'grant')
      .where('token.idHash = :idHash', { idHash: hashSecret(token) })
      .andWhere('grant.clientId = :clientId', { clientId })
      .getExists();
  }

  /** An access token with its grant and user; undefined unless these may be used. */
  async findAccessToken(value: string): Promise<StoredAccessToken | undefined> {
    const row = await FIND_ACCESS_TOKEN.find(this.dataSource, hashSecret(value));
    return row && toAccessToken(row);
  }

  async remove(token: string): Promise<void> {
    await this.dataSource.manager.delete(TokenEntity, { idHash: hashSecret(token) });
  }

  /**
   * Atomically marks the presented code or token as used, stores the new tokens and records the use of the
   * client and its redirect hosts. Returns false and changes nothing when the code or token is no longer valid. Of concurrent calls for
   * a code exactly one returns true. Calls for refresh tokens of one grant run one after the other, across all
   * replicas, so that uses of two generations cannot overlap: the later call locks the grant and reads it again.
   */
  async redeem({ presented, clientHosts, tokens }: IssuedTokens): Promise<boolean> {
    const write = (on: DataSource | EntityManager, found: PresentedToken) =>
      this.write(on, found, tokens, clientHosts);
    if (await write(this.dataSource, presented)) return true;
    if (presented.kind !== 'RefreshToken') return false;
    return this.dataSource.transaction(async (manager) => {
      await LOCK_GRANT.run(manager, [presented.grant.id]);
      const current = await this.findPresented(presented.value, manager);
      return Boolean(
        current && isRefreshTokenValid(current.usage) && (await write(manager, current)),
      );
    });
  }

  private async write(
    on: DataSource | EntityManager,
    { value, generation, grant, isClientDue }: PresentedToken,
    tokens: readonly NewToken[],
    clientHosts: string | null,
  ): Promise<boolean> {
    const now = Date.now();
    const refreshToken = tokens.find(({ kind }) => kind === 'RefreshToken');
    const { affected } = await (isClientDue ? REDEEM_AND_NOTE_USE : REDEEM).run(on, [
      grant.id,
      grant.lastUsedAt,
      now,
      this.options.grantMaxAgeMs ?? NEVER_MS,
      refreshToken?.expiresAt ?? null,
      refreshToken?.generation === 0 ? hashSecret(familyOf(refreshToken.value)) : null,
      hashSecret(value),
      generation,
      now - SIBLING_KEPT_MS,
      ...valuesOf(tokens[0]),
      ...valuesOf(tokens[1]),
      clientHosts,
      grant.clientId,
    ]);
    return affected === 1;
  }
}

type Row = Readonly<Record<string, unknown>>;

const toStatus = (row: Row) => ({
  isUserDisabled: Boolean(row['is_disabled']),
  isClientBlocked: Boolean(row['is_blocked']),
});

const toPresented = (value: string, row: Row): PresentedToken => ({
  ...toStatus(row),
  value,
  kind: row['kind'] as TokenKind,
  generation: Number(row['generation']),
  payload: JSON.parse(String(row['payload'])),
  grant: {
    id: String(row['id']),
    userId: String(row['user_id']),
    clientId: String(row['client_id']),
    app: String(row['app']),
    origin: String(row['origin']),
    clientHosts: textOrNull(row['client_hosts']),
    resource: textOrNull(row['resource']),
    scope: String(row['scope']),
    createdAt: Number(row['created_at']),
    lastUsedAt: Number(row['last_used_at']),
    expiresAt: Number(row['expires_at']),
    revokedAt: whole(row['revoked_at']) ?? null,
  },
  client: row['metadata'] == null ? undefined : toKnownClient(row),
  isClientDue: Boolean(row['is_client_due']),
  isExchanged: Number(row['refresh_tokens']) > 0,
  usage: {
    isUsed: row['consumed_at'] != null,
    isLaterUsed: Number(row['later_used']) === 1,
    sinceFirstUseMs: whole(row['since_first_use']),
    sinceDeliveryMs: whole(row['since_arrival']),
  },
});

function toAccessToken(row: Row): StoredAccessToken {
  const payload: { aud?: unknown; scope?: string; iat?: number } = JSON.parse(
    String(row['payload']),
  );
  return {
    issuer: String(row['origin']),
    issuedAt: payload.iat ?? 0,
    expiresAt: Number(row['expires_at']),
    generation: Number(row['generation']),
    deliveredGeneration: Number(row['arrived_generation']),
    grant: {
      grantId: String(row['grant_id']),
      clientId: String(row['client_id']),
      user: { id: String(row['user_id']), displayName: String(row['display_name']) },
      app: String(row['app']),
      audience: typeof payload.aud === 'string' ? payload.aud : '',
      scopes: scopeWords(payload.scope),
      endsAt: Number(row['grant_expires_at']),
    },
  };
}

const textOrNull = (value: unknown) => (value == null ? null : String(value));

const whole = (value: unknown) => (value == null ? undefined : Number(value));

const valuesOf = (token: NewToken | undefined) =>
  token
    ? [
        hashSecret(token.value),
        token.kind,
        token.generation,
        JSON.stringify(token.payload),
        token.expiresAt,
      ]
    : [null, null, null, null, null];
