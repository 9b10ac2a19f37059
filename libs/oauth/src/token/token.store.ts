import type { KeyObject } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { hashSecret } from '#libs/accounts';
import {
  BatchedRead,
  column,
  type Dialect,
  expiredRows,
  getServiceKey,
  guardedChanges,
  type GuardedWrite,
  PreparedStatement,
  type Row,
  type SqlValues,
} from '#libs/platform';
import { grantBlocked } from '../client/client-block.store.js';
import {
  clientUseValues,
  type ClientUseValues,
  isUseDue,
  RECORD_CLIENT_USE,
  toKnownClient,
} from '../client/client.store.js';
import { GrantEntity } from '../grant/grant.entity.js';
import {
  mayExceedLimits,
  NO_MAX_AGE_MS,
  prolongedTo,
  SELECT_GRANT_FOR_UPDATE,
} from '../grant/grant.store.js';
import { pausedBy, scopesOf } from '../grant/permission.js';
import { OAUTH_OPTIONS, type OAuthOptions } from '../oauth.module-definition.js';
import { scopeWords } from '../scope.js';
import { familyOf, isRefreshTokenValid, mayHaveBeenIssued } from './refresh-token.js';
import { TokenEntity, type TokenKind } from './token.entity.js';
import {
  type AccessGrant,
  type GrantStatus,
  hasKindAndOrigin,
  type IssuedTokens,
  type NewToken,
  type PresentedToken,
  type StoredAccessToken,
  type TokenPayload,
} from './token.js';

/** The values of a token to store, by names that begin with `prefix`; null without one. */
function tokenValues<Prefix extends string>(prefix: Prefix, token: NewToken | undefined) {
  const values = {
    [`${prefix}Hash`]: token ? hashSecret(token.value) : null,
    [`${prefix}Kind`]: token?.kind ?? null,
    [`${prefix}Generation`]: token?.generation ?? null,
    [`${prefix}Payload`]: token ? JSON.stringify(token.payload) : null,
    [`${prefix}ExpiresAt`]: token?.expiresAt ?? null,
  };
  return values as SqlValues<TokenName<Prefix>>;
}

type TokenName<Prefix extends string> =
  `${Prefix}${'Hash' | 'Kind' | 'Generation' | 'Payload' | 'ExpiresAt'}`;

const INSERT = new PreparedStatement<TokenName<'token'> | 'createdAt' | 'grantId'>(
  'insert-token',
  ({ forShare }) => `
    INSERT INTO oauth_tokens (id_hash, kind, grant_id, generation, payload, created_at, expires_at)
    SELECT :tokenHash, :tokenKind, id, CAST(:tokenGeneration AS integer), :tokenPayload,
      CAST(:createdAt AS bigint), CAST(:tokenExpiresAt AS bigint)
    FROM oauth_grants WHERE id = :grantId AND revoked_at IS NULL AND expires_at > :createdAt ${forShare}`,
);

const statusOf = (dialect: Dialect) =>
  `g.client_hosts, u.disabled_at IS NOT NULL AS is_disabled, ${grantBlocked(dialect)} AS is_blocked`;

const FIND_PRESENTED = new BatchedRead(
  'presented-token',
  ({ keys, now, ...dialect }) => `
    SELECT t.id_hash AS key, t.kind, t.generation, t.payload, t.consumed_at,
      g.id, g.user_id, g.client_id, g.app, g.origin, g.resource, g.scope, g.permissions, g.created_at, g.last_used_at,
      g.expires_at, g.ends_at, g.revoked_at,
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

const FIND_BY_FAMILY = new PreparedStatement<'familyHash'>(
  'replaced-token',
  (dialect) => `
   SELECT g.user_id, g.client_id, ${statusOf(dialect)}
   FROM oauth_grants g JOIN users u ON u.id = g.user_id WHERE g.family_hash = :familyHash`,
);

/** What `toAccess` reads. */
const ACCESS = `g.id AS grant_id, g.client_id, g.app, g.expires_at AS grant_expires_at, g.scope, g.permissions, g.may_ask,
  g.managed_by, g.paused_by_person, g.paused_by_administrator, g.daily_credits, g.user_id, u.display_name`;

const isUsable = (dialect: Dialect) =>
  `g.revoked_at IS NULL AND u.disabled_at IS NULL AND NOT ${grantBlocked(dialect)}`;

const FIND_ACCESS_TOKEN = new BatchedRead(
  'access-token',
  ({ keys, ...dialect }) => `
   SELECT t.id_hash AS key, t.generation, t.payload, t.expires_at, g.origin, g.arrived_generation, ${ACCESS}
   FROM ${keys}
   JOIN oauth_tokens t ON t.id_hash = keys.value
   JOIN oauth_grants g ON g.id = t.grant_id
   JOIN users u ON u.id = g.user_id
   WHERE t.kind = 'AccessToken' AND ${isUsable(dialect)}`,
);

const FIND_ACCESS = new PreparedStatement<'grantId' | 'readAt'>(
  'access-of-grant',
  (dialect) => `
   SELECT ${ACCESS} FROM oauth_grants g JOIN users u ON u.id = g.user_id
   WHERE g.id = :grantId AND g.expires_at > :readAt AND ${isUsable(dialect)}`,
);

const KEY_NAME = 'refresh-tokens';

/** More than a client that loses responses can hold, and few enough for one that only refreshes. */
const UNUSED_SIBLINGS_KEPT = 100;
const SIBLING_KEPT_MS = 60 * 1000;

/**
 * Optimistic lock: matches only if the grant is as it was read, since every redemption increases `last_used_at`.
 * A new refresh token restarts the idle lifetime; the first one sets the family.
 */
const LOCK_GRANT = `
  UPDATE oauth_grants SET
    ${prolongedTo('COALESCE(:grantExpiresAt, expires_at)')},
    family_hash = COALESCE(family_hash, CAST(:familyHash AS varchar(43))),
    client_hosts = CAST(:clientHosts AS text)
  WHERE id = :grantId AND last_used_at = :lastUsedAt AND revoked_at IS NULL AND expires_at > :usedAt
    AND EXISTS (SELECT 1 FROM oauth_tokens WHERE id_hash = :presentedHash
                AND (kind = 'RefreshToken' OR consumed_at IS NULL))
  RETURNING `;

const HAS_FAMILY = '(SELECT family_hash FROM oauth_grants WHERE id = :grantId) IS NOT NULL';

const MARK_USED: GuardedWrite = ({ now, guarded }) => `
      UPDATE oauth_tokens SET consumed_at = ${now}
      WHERE id_hash = :presentedHash AND consumed_at IS NULL AND ${guarded}`;

/**
 * Refresh tokens of earlier generations, which can never be valid again, and all but the newest unused siblings of the
 * new one. Their family identifies them if replayed. Grants without a family keep theirs.
 */
const DELETE_REPLACED: GuardedWrite = ({ guarded }) => `
      DELETE FROM oauth_tokens
      WHERE grant_id = :grantId AND kind = 'RefreshToken' AND ${HAS_FAMILY} AND ${guarded}
        AND (generation < :generation OR created_at < :siblingsBefore AND id_hash IN
          (SELECT id_hash FROM oauth_tokens
           WHERE grant_id = :grantId AND kind = 'RefreshToken' AND generation = :generation + 1
             AND consumed_at IS NULL
           ORDER BY created_at DESC LIMIT 1000 OFFSET ${UNUSED_SIBLINGS_KEPT}))`;

const INSERT_ISSUED: GuardedWrite = ({ guarded }) => `
      INSERT INTO oauth_tokens (id_hash, kind, grant_id, generation, payload, created_at, expires_at)
      SELECT id_hash, kind, CAST(:grantId AS varchar(64)), generation, payload, CAST(:usedAt AS bigint), expires_at
      FROM (SELECT CAST(:firstHash AS varchar(43)) AS id_hash, CAST(:firstKind AS varchar(20)) AS kind,
              CAST(:firstGeneration AS integer) AS generation, CAST(:firstPayload AS text) AS payload,
              CAST(:firstExpiresAt AS bigint) AS expires_at
            UNION ALL SELECT CAST(:secondHash AS varchar(43)), CAST(:secondKind AS varchar(20)),
              CAST(:secondGeneration AS integer), CAST(:secondPayload AS text), CAST(:secondExpiresAt AS bigint)
           ) AS given
      WHERE id_hash IS NOT NULL AND ${guarded}`;

type RedeemName =
  | 'grantId'
  | 'lastUsedAt'
  | 'usedAt'
  | 'maxAgeMs'
  | 'grantExpiresAt'
  | 'familyHash'
  | 'clientHosts'
  | 'presentedHash'
  | 'generation'
  | 'siblingsBefore'
  | TokenName<'first' | 'second'>;

/** Without and with the record of the client's use. */
const redeeming = (name: string, ...changes: Parameters<typeof guardedChanges>) => ({
  alone: new PreparedStatement<RedeemName>(name, guardedChanges(...changes)),
  withUse: new PreparedStatement<RedeemName | keyof ClientUseValues>(
    `${name}-and-record-use`,
    guardedChanges(...changes, RECORD_CLIENT_USE),
  ),
});

/** A code replaces no refresh token: its grant has none before it is exchanged. */
const EXCHANGE = redeeming(
  'exchange',
  `${LOCK_GRANT} ${mayExceedLimits('oauth_grants')} AS may_exceed`,
  MARK_USED,
  INSERT_ISSUED,
);

const REFRESH = redeeming(
  'refresh',
  `${LOCK_GRANT} FALSE AS may_exceed`,
  MARK_USED,
  DELETE_REPLACED,
  INSERT_ISSUED,
);

export const expiredTokens = expiredRows(TokenEntity, 'idHash');

/**
 * Codes and tokens by their hashes. Used codes stay until they would have expired, refresh tokens until a later
 * generation is used; after that their family reveals a replay, however often a thief has refreshed since.
 */
@Injectable()
export class TokenStore {
  private key: KeyObject | undefined;

  constructor(
    private readonly dataSource: DataSource,
    @Inject(OAUTH_OPTIONS) private readonly options: Pick<OAuthOptions, 'grantMaxAgeMs'>,
  ) {}

  /** Stores a token if its grant is active, in one statement; false when the grant is not. */
  async insert(token: NewToken, on: DataSource | EntityManager = this.dataSource) {
    const { grantId } = token;
    const values = { ...tokenValues('token', token), createdAt: Date.now(), grantId };
    return (await INSERT.run(on, values)).affected === 1;
  }

  /** A code or token even if it is used or expired or its grant is not active; undefined if never issued. */
  async findPresented(value: string, on: DataSource | EntityManager = this.dataSource) {
    const row = await FIND_PRESENTED.find(on, hashSecret(value));
    return row && toPresented(value, row);
  }

  /** The token of a grant on this origin that is not revoked, used or not, expired or not. */
  async find(value: string, kind: TokenKind, origin: string): Promise<PresentedToken | undefined> {
    const found = await this.findPresented(value);
    return found && hasKindAndOrigin(found, kind, origin) ? found : undefined;
  }

  async refreshTokenKey(): Promise<KeyObject> {
    return (this.key ??= await getServiceKey(this.dataSource, KEY_NAME));
  }

  /** The status of the grant of a refresh token whose row is deleted, by its family; undefined if never issued. */
  async findReplaced(refreshToken: string): Promise<GrantStatus | undefined> {
    if (!mayHaveBeenIssued(await this.refreshTokenKey(), refreshToken)) return undefined;
    const familyHash = hashSecret(familyOf(refreshToken));
    const [row] = (await FIND_BY_FAMILY.run(this.dataSource, { familyHash })).rows;
    if (!row) return undefined;
    const clientHosts = column.textOrNull(row, 'client_hosts');
    const userId = column.text(row, 'user_id');
    const clientId = column.text(row, 'client_id');
    return { ...toStatus(row), grant: { userId, clientId, clientHosts } };
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

  /** Whether a token or code was issued to a client, used or ended; a deleted refresh token is found by its family. */
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

  /** What a grant allows now within the bounds of a token that was found before, and may have expired since. */
  async findAccess({ grantId, bounds }: AccessGrant): Promise<AccessGrant | undefined> {
    const [row] = (await FIND_ACCESS.run(this.dataSource, { grantId, readAt: Date.now() })).rows;
    return row && toAccess(row, bounds);
  }

  async remove(token: string): Promise<void> {
    await this.dataSource.manager.delete(TokenEntity, { idHash: hashSecret(token) });
  }

  /**
   * Marks what was presented as used, stores the new tokens and records the client's use. Undefined, and nothing
   * changed, when what was presented is no longer valid. Of parallel calls for a code one succeeds. Those for refresh
   * tokens of a grant run one after the other, on all replicas: one that loses the race locks the grant and reads it
   * again, so that uses of two generations cannot overlap.
   */
  async redeem({ presented, clientHosts, tokens }: IssuedTokens) {
    const write = (on: DataSource | EntityManager, found: PresentedToken) =>
      this.write(on, found, tokens, clientHosts);
    const redeemed = await write(this.dataSource, presented);
    if (redeemed || presented.kind !== 'RefreshToken') return redeemed;
    return this.dataSource.transaction(async (manager) => {
      await SELECT_GRANT_FOR_UPDATE.run(manager, { id: presented.grant.id });
      const current = await this.findPresented(presented.value, manager);
      return current && isRefreshTokenValid(current.usage) ? write(manager, current) : undefined;
    });
  }

  private async write(
    on: DataSource | EntityManager,
    { value, kind, generation, grant, isClientDue }: PresentedToken,
    tokens: readonly NewToken[],
    clientHosts: string | null,
  ) {
    const now = Date.now();
    const refreshToken = tokens.find((token) => token.kind === 'RefreshToken');
    const { alone, withUse } = kind === 'AuthorizationCode' ? EXCHANGE : REFRESH;
    const { rows } = await (isClientDue ? withUse : alone).run(on, {
      grantId: grant.id,
      lastUsedAt: grant.lastUsedAt,
      usedAt: now,
      maxAgeMs: this.options.grantMaxAgeMs ?? NO_MAX_AGE_MS,
      grantExpiresAt: refreshToken?.expiresAt ?? null,
      familyHash: refreshToken?.generation === 0 ? hashSecret(familyOf(refreshToken.value)) : null,
      clientHosts,
      presentedHash: hashSecret(value),
      generation,
      siblingsBefore: now - SIBLING_KEPT_MS,
      ...tokenValues('first', tokens[0]),
      ...tokenValues('second', tokens[1]),
      ...clientUseValues(grant.clientId, now),
    });
    const [row] = rows;
    return row && { mayExceedLimits: column.flag(row, 'may_exceed') };
  }
}

const toStatus = (row: Row) => ({
  isUserDisabled: column.flag(row, 'is_disabled'),
  isClientBlocked: column.flag(row, 'is_blocked'),
});

const toPresented = (value: string, row: Row): PresentedToken => ({
  ...toStatus(row),
  value,
  kind: column.text(row, 'kind') as TokenKind,
  generation: column.number(row, 'generation'),
  payload: JSON.parse(column.text(row, 'payload')),
  grant: {
    id: column.text(row, 'id'),
    userId: column.text(row, 'user_id'),
    clientId: column.text(row, 'client_id'),
    app: column.text(row, 'app'),
    origin: column.text(row, 'origin'),
    clientHosts: column.textOrNull(row, 'client_hosts'),
    resource: column.textOrNull(row, 'resource'),
    scope: column.text(row, 'scope'),
    permissions: column.textOrNull(row, 'permissions'),
    endsAt: column.numberOrNull(row, 'ends_at'),
    createdAt: column.number(row, 'created_at'),
    lastUsedAt: column.number(row, 'last_used_at'),
    expiresAt: column.number(row, 'expires_at'),
    revokedAt: column.numberOrNull(row, 'revoked_at'),
  },
  client: row['metadata'] == null ? undefined : toKnownClient(row),
  // Without a registered client there is nothing to record.
  isClientDue: Boolean(row['is_client_due']),
  isExchanged: column.number(row, 'refresh_tokens') > 0,
  usage: {
    isUsed: row['consumed_at'] != null,
    isLaterUsed: column.number(row, 'later_used') === 1,
    sinceFirstUseMs: column.numberOrNull(row, 'since_first_use') ?? undefined,
    sinceDeliveryMs: column.numberOrNull(row, 'since_arrival') ?? undefined,
  },
});

function toAccessToken(row: Row): StoredAccessToken {
  const payload: TokenPayload = JSON.parse(column.text(row, 'payload'));
  return {
    issuer: column.text(row, 'origin'),
    issuedAt: payload.iat ?? 0,
    expiresAt: column.number(row, 'expires_at'),
    generation: column.number(row, 'generation'),
    deliveredGeneration: column.number(row, 'arrived_generation'),
    grant: toAccess(row, payload),
  };
}

function toAccess(row: Row, bounds: TokenPayload): AccessGrant {
  const given = {
    scope: bounds.given ?? column.text(row, 'scope'),
    permissions: column.textOrNull(row, 'permissions'),
  };
  const isOfToken = scopesWithin(bounds);
  const { usable, ask } = scopesOf(given);
  const isManaged = column.textOrNull(row, 'managed_by') !== null;
  const mayAsk = column.flag(row, 'may_ask');
  return {
    grantId: column.text(row, 'grant_id'),
    clientId: column.text(row, 'client_id'),
    user: { id: column.text(row, 'user_id'), displayName: column.text(row, 'display_name') },
    app: column.text(row, 'app'),
    audience: typeof bounds.aud === 'string' ? bounds.aud : '',
    scopes: usable.filter(isOfToken),
    ask: ask.filter(isOfToken),
    mayAskFor: (scope) =>
      mayAsk &&
      !usable.includes(scope) &&
      !scopeWords(bounds.withheld).includes(scope) &&
      (!isManaged || scopeWords(given.scope).includes(scope)),
    pausedBy: pausedBy({
      isPausedByPerson: column.flag(row, 'paused_by_person'),
      isPausedByAdministrator: column.flag(row, 'paused_by_administrator'),
    }),
    dailyCredits: column.numberOrNull(row, 'daily_credits'),
    endsAt: column.number(row, 'grant_expires_at'),
    bounds,
  };
}

/** A token follows what its grant may do within its bounds; a replica of an earlier version wrote its scopes alone. */
function scopesWithin({ scope, leftOut, given }: TokenPayload): (name: string) => boolean {
  if (leftOut === '' || given !== undefined) return () => true;
  const words = scopeWords(leftOut ?? scope);
  return (name) => words.includes(name) === (leftOut === undefined);
}
