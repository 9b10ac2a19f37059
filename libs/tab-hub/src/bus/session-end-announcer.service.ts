import { Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { type EndedSession, SecurityEventsService } from '#libs/accounts';
import { TabBus } from './tab-bus.js';

/** Tells all replicas that a session has ended here, so that its tabs close there too. */
@Injectable()
export class SessionEndAnnouncerService implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger(SessionEndAnnouncerService.name);
  private readonly underWay = new Set<Promise<void>>();
  private unlisten: (() => void) | undefined;

  constructor(
    private readonly events: SecurityEventsService,
    private readonly bus: TabBus,
  ) {}

  onModuleInit() {
    this.unlisten = this.events.listen(({ endedSessions = [] }) => {
      for (const ended of endedSessions) this.announce(ended);
    });
  }

  async onModuleDestroy() {
    this.unlisten?.();
    await Promise.all(this.underWay);
  }

  private announce(ended: EndedSession) {
    const announced = this.publish(ended).finally(() => this.underWay.delete(announced));
    this.underWay.add(announced);
  }

  private async publish({ user, tokenHash }: EndedSession) {
    try {
      await this.bus.publish(user.id, { kind: 'session-ended', session: tokenHash });
    } catch (error) {
      this.logger.warn(
        `other replicas notice only by themselves that a session ended: ${String(error)}`,
      );
    }
  }
}
