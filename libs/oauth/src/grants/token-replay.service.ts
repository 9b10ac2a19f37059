import { Injectable, Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { SecurityEventsService } from '#libs/accounts';
import { GrantEntity } from './grant.entity.js';

/** Tells of grants that were revoked because a code or refresh token was used again. */
@Injectable()
export class TokenReplayService {
  private readonly logger = new Logger(TokenReplayService.name);

  constructor(
    private readonly dataSource: DataSource,
    private readonly events: SecurityEventsService,
  ) {}

  /** The grant is revoked already, so this never fails. */
  async report(grantId: string): Promise<void> {
    try {
      const { manager } = this.dataSource;
      const { userId, clientId, origin } = await manager.findOneByOrFail(GrantEntity, {
        id: grantId,
      });
      this.events.emit({ type: 'token-replayed', userId, clientId, grantId, origin });
    } catch (error) {
      this.logger.error(`the replay of a token of grant ${grantId} is not told: ${String(error)}`);
    }
  }
}
