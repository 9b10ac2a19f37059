import { Injectable } from '@nestjs/common';
import { type ApprovalEnd, type ApprovalKind, ApprovalMeter } from '#libs/oauth';
import { Counter, Histogram, Registry } from '../prometheus.js';

/** A request is open for 10 minutes, and a call waits 45 seconds for it. */
const WAIT_SECONDS = [1, 2.5, 5, 10, 20, 45, 90, 180, 300, 600];

@Injectable()
export class MetricsApprovalMeter extends ApprovalMeter {
  private readonly requests: Counter<'kind' | 'decision'>;
  private readonly waits: Histogram;

  constructor(registry: Registry) {
    super();
    const registers = [registry];
    this.requests = new Counter({
      name: 'gatehouse_requests_total',
      help: 'Requests of apps to people that have ended, by what they ask for and how they ended',
      labelNames: ['kind', 'decision'],
      registers,
    });
    for (const kind of ['call', 'permission']) {
      for (const decision of ['once', 'always', 'no', 'expired'])
        this.requests.inc({ kind, decision }, 0);
    }
    this.waits = new Histogram({
      name: 'gatehouse_request_wait_seconds',
      help: 'From such a request to its decision; those that expired are left out',
      buckets: WAIT_SECONDS,
      registers,
    });
  }

  override ended(kind: ApprovalKind, decision: ApprovalEnd, waitedMs: number) {
    this.requests.inc({ kind, decision });
    if (decision !== 'expired') this.waits.observe(waitedMs / 1000);
  }
}
