import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DataSource, IsNull, MoreThan, Not } from 'typeorm';
import { PreparedStatement } from '#libs/database';
import { ConsentEntity } from '../consents/consent.entity.js';
import { CODE_LIFETIME_MS, MAX_GRANTS_PER_CLIENT } from './grant.js';
import { GrantEntity } from './grant.entity.js';

type NewGrant = Pick<
  GrantEntity,
  'userId' | 'clientId' | 'origin' | 'scope' | 'app' | 'redirectHost' | 'published'
>;

const MAX_LISTED = 100;

/** Whoever deletes the account waits, and its grants go along. */
const BEGIN = new PreparedStatement(
  'begin-grant',
  ({ forShare }) => `
    INSERT INTO oauth_grants (id, user_id, client_id, origin, scope, app, redirect_host, published,
      created_at, last_used_at, expires_at)
    SELECT $1, id, $3, $4, $5, $6, $7, $8, CAST($9 AS bigint), CAST($9 AS bigint), CAST($10 AS bigint)
    FROM users WHERE id = $2 ${forShare}`,
);

@Injectable()
export class GrantsService {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Begins a grant, which ends with its code unless the code is exchanged. Returns its id; undefined when the
   * account went meanwhile.
   */
  async begin(grant: NewGrant): Promise<string | undefined> {
    const now = Date.now();
    const id = randomBytes(16).toString('base64url');
    const { userId, clientId, origin, scope, app, redirectHost, published } = grant;
    const about = [userId, clientId, origin, scope, app, redirectHost, published];
    const { affected } = await BEGIN.run(this.dataSource, [
      id,
      ...about,
      now,
      now + CODE_LIFETIME_MS,
    ]);
    return affected === 1 ? id : undefined;
  }

  /** A grant, active or not. Throws EntityNotFoundError. */
  async get(id: string): Promise<GrantEntity> {
    return this.dataSource.manager.findOneByOrFail(GrantEntity, { id });
  }

  async findActive(id: string): Promise<GrantEntity | undefined> {
    const active = { id, revokedAt: IsNull(), expiresAt: MoreThan(Date.now()) };
    return (await this.dataSource.manager.findOneBy(GrantEntity, active)) ?? undefined;
  }

  /** A user's active grants, newest first, 100 at most. */
  async listOf(userId: string): Promise<GrantEntity[]> {
    return this.dataSource.manager.find(GrantEntity, {
      where: { userId, revokedAt: IsNull(), expiresAt: MoreThan(Date.now()) },
      order: { createdAt: 'DESC', id: 'ASC' },
      take: MAX_LISTED,
    });
  }

  /**
   * One update that ends the grant and with it, on every replica, all its tokens and its code.
   * False when it was not active: of concurrent calls one gets true.
   */
  async revoke(id: string): Promise<boolean> {
    const now = Date.now();
    const ended = await this.dataSource.manager.update(
      GrantEntity,
      { id, revokedAt: IsNull(), expiresAt: MoreThan(now) },
      { revokedAt: now },
    );
    return ended.affected === 1;
  }

  /** Takes a grant back that nobody was told of, with its code: no row is left. */
  async discard(id: string): Promise<void> {
    await this.dataSource.manager.delete(GrantEntity, { id });
  }

  /** The user disconnects the app: the grant ends, and so do consents that wait for an answer. */
  async disconnect(grant: GrantEntity): Promise<boolean> {
    const { id, userId, clientId } = grant;
    await this.dataSource.manager.delete(ConsentEntity, { userId, clientId });
    return this.revoke(id);
  }

  /**
   * Makes room beside a new grant: a client that registered itself has one per user, a published
   * one has up to 20, of which the longest idle go first. Of grants that begin at once the newest
   * stays, whoever looks. Returns the ids of those that this call ended; none when the account went with
   * its grants meanwhile.
   */
  async replaceOlder(id: string): Promise<string[]> {
    const { manager } = this.dataSource;
    const begun = await manager.findOneBy(GrantEntity, { id });
    if (!begun) return [];
    const { userId, clientId, published, createdAt } = begun;
    const others = await manager.find(GrantEntity, {
      select: { id: true, createdAt: true },
      where: {
        userId,
        clientId,
        id: Not(id),
        revokedAt: IsNull(),
        expiresAt: MoreThan(Date.now()),
      },
      order: { lastUsedAt: 'DESC', createdAt: 'DESC' },
      skip: published === null ? 0 : MAX_GRANTS_PER_CLIENT - 1,
      take: MAX_LISTED,
    });
    const older = others.filter(
      (other) => other.createdAt < createdAt || (other.createdAt === createdAt && other.id < id),
    );
    const ended = await Promise.all(older.map((grant) => this.revoke(grant.id)));
    return older.flatMap((grant, n) => (ended[n] ? [grant.id] : []));
  }
}
