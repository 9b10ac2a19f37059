import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, MoreThan } from 'typeorm';
import { runSql } from '#libs/database';
import type { User } from '../users/user.js';
import { type EndedSession, generateSessionId, type Session } from './session.js';
import { SessionEntity } from './session.entity.js';

/** As many as are listed, of those that were used last. */
const MAX_LISTED = 100;

/** Active sessions of a user; `lastSeenAt` in epoch milliseconds, null without any. */
interface SessionSummary {
  readonly count: number;
  readonly lastSeenAt: number | null;
}

type Kept = Pick<Session, 'tokenHash'>;

/**
 * All sessions of an account. Who ends some emits a security event with them as `endedSessions`, which
 * closes their tabs on every replica. Of two calls that end the same one, only one gets it.
 */
@Injectable()
export class AccountSessionsService {
  constructor(private readonly dataSource: DataSource) {}

  /** Those that have not expired, the one that was used last first, at most 100. */
  async list(userId: string): Promise<SessionEntity[]> {
    const listed = await this.find(userId);
    const nameless = listed.filter(({ id }) => id === '');
    if (nameless.length === 0) return listed;
    for (const { tokenHash } of nameless) await this.name(tokenHash);
    return this.find(userId);
  }

  private async find(userId: string) {
    return this.dataSource.manager.find(SessionEntity, {
      where: { userId, expiresAt: MoreThan(Date.now()) },
      order: { lastSeenAt: 'DESC', createdAt: 'DESC', id: 'ASC' },
      take: MAX_LISTED,
    });
  }

  async summaryOf(userId: string): Promise<SessionSummary> {
    const active = { userId, expiresAt: MoreThan(Date.now()) };
    const [count, lastSeenAt] = await Promise.all([
      this.dataSource.manager.countBy(SessionEntity, active),
      this.dataSource.manager.maximum(SessionEntity, 'lastSeenAt', active),
    ]);
    return { count, lastSeenAt: lastSeenAt === null ? null : Number(lastSeenAt) };
  }

  /** Ends the one that its user knows by this id; undefined when the account has none of it. */
  async end(user: User, id: string): Promise<EndedSession | undefined> {
    if (id === '') return undefined;
    const [ended] = await this.endWhere(this.dataSource, user, undefined, 'id', id);
    return ended;
  }

  /** Ends all but the one that is kept, inside the caller's transaction if there is one. */
  async endAll(
    manager: EntityManager | undefined,
    user: User,
    kept?: Kept,
  ): Promise<EndedSession[]> {
    return this.endWhere(manager ?? this.dataSource, user, kept);
  }

  /** As `endAll`, those alone that began with a passkey. */
  async endBegunWith(manager: EntityManager, user: User, credentialId: string, kept?: Kept) {
    return this.endWhere(manager, user, kept, 'credential_id', credentialId);
  }

  /** One that a replica from before ids has made; of parallel calls the first gives it one. */
  private async name(tokenHash: string) {
    const id = generateSessionId();
    await this.dataSource.manager.update(SessionEntity, { tokenHash, id: '' }, { id });
  }

  private async endWhere(
    on: DataSource | EntityManager,
    user: User,
    kept: Kept | undefined,
    ...[column, value]: [] | ['id' | 'credential_id', string]
  ): Promise<EndedSession[]> {
    const others = 'DELETE FROM sessions WHERE user_id = $1 AND token_hash <> $2';
    const chosen = column === undefined ? '' : ` AND ${column} = $3`;
    const { rows } = await runSql(on, `${others}${chosen} RETURNING token_hash`, [
      user.id,
      kept?.tokenHash ?? '',
      ...(value === undefined ? [] : [value]),
    ]);
    return rows.map((row) => ({ tokenHash: String(row['token_hash']), user }));
  }
}
