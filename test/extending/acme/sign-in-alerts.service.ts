import { Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { type SecurityEvent, SecurityEventsService } from '#libs/accounts';

/** Would write to a chat; here it keeps what it would write. */
@Injectable()
export class SignInAlertsService implements OnModuleInit, OnModuleDestroy {
  readonly alerts: string[] = [];
  private leave: () => void = () => {};

  constructor(private readonly events: SecurityEventsService) {}

  onModuleInit() {
    this.leave = this.events.listen((event) => this.note(event));
  }

  onModuleDestroy() {
    this.leave();
  }

  private note({ type, userId, origin }: SecurityEvent) {
    this.alerts.push(`${type} of ${userId} at ${origin}`);
  }
}
