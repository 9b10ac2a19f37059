import { Injectable } from '@nestjs/common';
import { Counter, Histogram, Registry } from 'prom-client';
import { type SecurityEvent, SecurityEventsService } from '#libs/accounts';

/** A call may take 50 seconds. */
const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25, 45, 50];

/** Counts tool calls by the tool's name; tools of pages are counted together as `page_*`. */
@Injectable()
export class ToolMetricsService {
  private readonly calls: Counter<'tool' | 'outcome'>;
  private readonly durations: Histogram<'tool'>;

  constructor(registry: Registry, events: SecurityEventsService) {
    const registers = [registry];
    this.calls = new Counter({
      name: 'gatehouse_tool_calls_total',
      help: 'Calls of tools, resources read and prompts made, by how they ended',
      labelNames: ['tool', 'outcome'],
      registers,
    });
    this.durations = new Histogram({
      name: 'gatehouse_tool_call_duration_seconds',
      help: 'From the beginning of the work of such a call to its end',
      labelNames: ['tool'],
      buckets: SECONDS,
      registers,
    });
    events.listen((event) => this.count(event));
  }

  private count({ called, spent }: SecurityEvent) {
    if (called === undefined) return;
    const { tool, outcome } = called;
    this.calls.inc({ tool, outcome });
    if (spent !== undefined) this.durations.observe({ tool }, spent.durationMs / 1000);
  }
}
