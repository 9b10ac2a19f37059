import { Injectable } from '@nestjs/common';
import { Counter, Registry } from 'prom-client';
import { type SecurityEvent, SecurityEventsService, type SecurityEventType } from '#libs/accounts';

/**
 * The events that docs/guides/operating.md lists for alerts. Their counters start at 0, so that the first event is an
 * increase.
 */
export const ALARMING_EVENTS: readonly SecurityEventType[] = [
  'token-replayed',
  'signature-counter-reversed',
  'sign-in-failed',
  'passkey-refused',
  'foreign-origin-refused',
  'client-authentication-failed',
  'consent-refused',
  'bearer-refused',
  'admin-token-refused',
];

const DECISIONS: Partial<Record<SecurityEvent['type'], string>> = {
  'consent-approved': 'approved',
  'consent-denied': 'denied',
};

@Injectable()
export class EventMetricsService {
  private readonly happened: Counter<'type'>;
  private readonly consents: Counter<'decision'>;

  constructor(registry: Registry, events: SecurityEventsService) {
    const registers = [registry];
    this.happened = new Counter({
      name: 'gatehouse_security_events_total',
      help: 'What happened to accounts and to what guards them',
      labelNames: ['type'],
      registers,
    });
    for (const type of ALARMING_EVENTS) this.happened.inc({ type }, 0);
    this.consents = new Counter({
      name: 'gatehouse_consents_total',
      help: 'Answers of users to apps that asked for access',
      labelNames: ['decision'],
      registers,
    });
    for (const decision of Object.values(DECISIONS)) this.consents.inc({ decision }, 0);
    events.listen((event) => this.count(event));
  }

  private count({ type }: SecurityEvent) {
    this.happened.inc({ type });
    const decision = DECISIONS[type];
    if (decision !== undefined) this.consents.inc({ decision });
  }
}
