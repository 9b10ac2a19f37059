import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { hashSecret } from '#libs/accounts';
import { type DependentSql, PreparedStatement, changesOf } from '#libs/platform';
import { clientUse } from '../client/client.store.js';
import { OAUTH_OPTIONS, type OAuthOptions } from '../oauth.module-definition.js';
import {
  findPresentedToken,
  findReplacedToken,
  type GrantStanding,
  type PresentedToken,
} from './presented-token.sql.js';
import type { Redemption } from './redemption.js';
import { isGood } from './refresh-generations.js';
import { familyOf } from './refresh-token-family.js';
import type { NewToken } from './token-store.sql.js';

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
