import { Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { type SecurityEvent, SecurityEventsService } from 'gatehouse/accounts';

/** Would write to a chat; here it keeps what it would write. */
@Injectable()
export class SignInAlertsService implements OnModuleInit, OnModuleDestroy {
  readonly alerts: string[] = [];
  private unsubscribe: () => void = () => {};

  constructor(private readonly events: SecurityEventsService) {}

  onModuleInit() {
    this.unsubscribe = this.events.listen((event) => this.alert(event));
  }

  onModuleDestroy() {
    this.unsubscribe();
  }

  private alert({ type, userId, origin }: SecurityEvent) {
    this.alerts.push(`${type} of ${userId} at ${origin}`);
  }
}
