import { Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { type SecurityEvent, type SecurityEventType, SecurityEventsService } from '#libs/accounts';
import { epochSeconds, OutageLog } from '#libs/platform';
import { TabBus, type TabBusMessage } from './tab-bus.js';

/** Shown at once in every open page, because another person may have done it. */
const TOLD: ReadonlySet<SecurityEventType> = new Set([
  'passkey-added',
  'passkey-removed',
  'account-recovered',
  'account-deleted',
  'connection-changed',
  'request-approved',
  'request-refused',
]);

/** Tells all replicas what happened to what guards an account, and which sessions have ended, for their open tabs. */
@Injectable()
export class AccountAnnouncerService implements OnModuleInit, OnModuleDestroy {
  private readonly outage = new OutageLog(new Logger(AccountAnnouncerService.name));
  private readonly underWay = new Set<Promise<unknown>>();
  private unlisten: (() => void) | undefined;

  constructor(
    private readonly events: SecurityEventsService,
    private readonly bus: TabBus,
  ) {}

  onModuleInit() {
    this.unlisten = this.events.listen((event) => this.announce(event));
  }

  /** Resolves when everything that happened before is published. */
  async onModuleDestroy() {
    this.unlisten?.();
    await Promise.all(this.underWay);
  }

  private announce({ type, userId, endedSessions = [] }: SecurityEvent) {
    const at = epochSeconds(Date.now());
    if (userId !== null && TOLD.has(type)) this.tell(userId, { kind: 'account', type, at });
    for (const { user, tokenHash } of endedSessions) {
      this.tell(user.id, { kind: 'session-ended', session: tokenHash });
    }
  }

  private tell(userId: string, message: TabBusMessage) {
    const told = this.outage
      .watch(
        () => this.bus.publish(userId, message),
        `other replicas are not told of accounts (${message.kind})`,
        'other replicas are told of accounts again',
      )
      .finally(() => this.underWay.delete(told));
    this.underWay.add(told);
  }
}
