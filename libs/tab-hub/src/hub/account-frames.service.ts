import { Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { type SecurityEventType, SecurityEventsService } from '#libs/accounts';
import { TabBus } from '../bus/tab-bus.js';

/** What the person should see at once, wherever a page is open: it may have been somebody else. */
const TOLD: ReadonlySet<SecurityEventType> = new Set([
  'passkey-added',
  'passkey-removed',
  'account-recovered',
  'account-deleted',
]);

/** Tells the open tabs of an account, on every replica, what happened to what guards it. */
@Injectable()
export class AccountFramesService implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger(AccountFramesService.name);
  private unlisten: (() => void) | undefined;

  constructor(
    private readonly events: SecurityEventsService,
    private readonly bus: TabBus,
  ) {}

  onModuleInit() {
    this.unlisten = this.events.listen(({ type, userId }) => {
      if (userId !== null && TOLD.has(type)) void this.publish(userId, type);
    });
  }

  onModuleDestroy() {
    this.unlisten?.();
  }

  private async publish(userId: string, type: string) {
    try {
      await this.bus.publish(userId, { kind: 'account', type, at: Math.floor(Date.now() / 1000) });
    } catch (error) {
      this.logger.warn(`tabs may not know of ${type}: ${String(error)}`);
    }
  }
}
