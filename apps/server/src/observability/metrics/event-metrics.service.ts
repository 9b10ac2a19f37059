import { Injectable } from '@nestjs/common';
import { type SecurityEvent, SecurityEventsService, type SecurityEventType } from '#libs/accounts';
import { AuditTrailService } from '../../audit/audit-trail.service.js';
import { Counter, Histogram, Registry, scrapedCounter } from '../prometheus.js';

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

/** A call may take 50 seconds. */
const CALL_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25, 45, 50];

/** Counts security events, and tool calls by the tool's name; tools of pages are counted together as `page_*`. */
@Injectable()
export class EventMetricsService {
  private readonly happened: Counter<'type'>;
  private readonly consents: Counter<'decision'>;
  private readonly calls: Counter<'tool' | 'outcome'>;
  private readonly callDurations: Histogram<'tool'>;

  constructor(registry: Registry, events: SecurityEventsService, trail: AuditTrailService) {
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
    this.calls = new Counter({
      name: 'gatehouse_tool_calls_total',
      help: 'Calls of tools, resources read and prompts made, by how they ended',
      labelNames: ['tool', 'outcome'],
      registers,
    });
    this.callDurations = new Histogram({
      name: 'gatehouse_tool_call_duration_seconds',
      help: 'From the beginning of the work of such a call to its end',
      labelNames: ['tool'],
      buckets: CALL_SECONDS,
      registers,
    });
    const lost = {
      name: 'gatehouse_audit_rows_lost_total',
      help: 'Rows that the audit trail lacks: too many waited for the database, or it refused them',
    };
    scrapedCounter(registry, lost, (counter) => counter.inc(trail.lostRows));
    events.listen((event) => this.count(event));
  }

  private count({ type, called, spent }: SecurityEvent) {
    this.happened.inc({ type });
    const decision = DECISIONS[type];
    if (decision !== undefined) this.consents.inc({ decision });
    if (called === undefined) return;
    const { tool, outcome } = called;
    this.calls.inc({ tool, outcome });
    if (spent !== undefined) this.callDurations.observe({ tool }, spent.durationMs / 1000);
  }
}
