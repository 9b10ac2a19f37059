import { Inject, Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { DataSource, IsNull, MoreThan } from 'typeorm';
import { PreparedStatement } from '#libs/platform';
import { ConsentEntity } from '../consent/consent.entity.js';
import { OAUTH_OPTIONS, type OAuthOptions } from '../oauth.module-definition.js';
import { GrantEntity } from './grant.entity.js';

const MAX_LISTED = 100;

@Injectable()
export class GrantsService {
  constructor(private readonly dataSource: DataSource) {}

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
   * Ends the grant in one update and with it, on every replica, all its tokens and its code.
   * False when it was not active. Of concurrent calls exactly one returns true.
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

  /** Disconnects the app: ends the grant and deletes the user's unanswered consents for the client. */
  async disconnect(grant: GrantEntity): Promise<boolean> {
    const { id, userId, clientId } = grant;
    await this.dataSource.manager.delete(ConsentEntity, { userId, clientId });
    return this.revoke(id);
  }
}

const BATCH = 500;

/** Locks grants in id order, so that replicas wait for each other and cannot deadlock. */
const SHORTEN = new PreparedStatement(
  'shorten-grants',
  ({ forUpdate }) => `
    UPDATE oauth_grants SET expires_at = created_at + $1, sweep_due_at = 0
    WHERE id IN (SELECT id FROM oauth_grants
                 WHERE id > $2 AND id <= $3 AND expires_at > created_at + $1
                 ORDER BY id ${forUpdate})`,
);

/**
 * At the start, applies the configured greatest age to existing grants, in case it was set or lowered since
 * they began. Every later refresh enforces it as well. Safe on several replicas at once.
 */
@Injectable()
export class GrantAgesService implements OnModuleInit {
  private readonly logger = new Logger(GrantAgesService.name);

  constructor(
    @Inject(OAUTH_OPTIONS) private readonly options: Pick<OAuthOptions, 'grantMaxAgeMs'>,
    private readonly dataSource: DataSource,
  ) {}

  async onModuleInit() {
    const { grantMaxAgeMs } = this.options;
    if (grantMaxAgeMs === undefined) return;
    const shortened = await this.shorten(grantMaxAgeMs);
    if (shortened > 0) this.logger.log(`${shortened} grants end earlier than they would have`);
  }

  /** Walks over the table once, in small batches, so that no statement blocks another replica for long. */
  private async shorten(maxAgeMs: number): Promise<number> {
    let count = 0;
    let after = '';
    for (;;) {
      const upTo = await this.endOfBatch(maxAgeMs, after);
      if (upTo === undefined) return count;
      const { affected } = await SHORTEN.run(this.dataSource, [maxAgeMs, after, upTo]);
      count += affected;
      after = upTo;
    }
  }

  private async endOfBatch(maxAgeMs: number, after: string): Promise<string | undefined> {
    const rows = await this.dataSource.query<{ id: string }[]>(
      `SELECT id FROM oauth_grants WHERE id > $1 AND expires_at > created_at + $2
       ORDER BY id LIMIT ${BATCH}`,
      [after, maxAgeMs],
    );
    return rows.at(-1)?.id;
  }
}
