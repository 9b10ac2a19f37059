import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { type OutboxFigures, readOutboxFigures } from '../../outbox/outbox.store.js';
import { OutboxService } from '../../outbox/outbox.service.js';
import { Gauge, Registry, scrapedCounter } from '../prometheus.js';

/** The state of the outbox, read at each scrape; nothing where events have no receiver. */
@Injectable()
export class OutboxMetricsService {
  private reading: Promise<OutboxFigures | undefined> | undefined;

  constructor(
    private readonly registry: Registry,
    private readonly dataSource: DataSource,
    { isOpen, counts }: OutboxService,
  ) {
    if (!isOpen) return;
    this.showDeliveries(counts);
    this.showOutbox();
  }

  private showDeliveries(counts: OutboxService['counts']) {
    const deliveries = {
      name: 'gatehouse_webhook_deliveries_total',
      help: 'Attempts of this replica to deliver an event by outcome, and events that it gave up (dead)',
      labelNames: ['outcome'],
    };
    scrapedCounter(this.registry, deliveries, (counter) => {
      for (const [outcome, count] of Object.entries(counts)) counter.inc({ outcome }, count);
    });
  }

  private showOutbox() {
    const registers = [this.registry];
    const oldest: Gauge = new Gauge({
      name: 'gatehouse_webhook_oldest_waiting_seconds',
      help: 'For how long the oldest event that waits has waited; 0 when none waits',
      registers,
      collect: async () => {
        const figures = await this.figures();
        if (figures) oldest.set(figures.oldestAgeMs / 1000);
      },
    });
    const events: Gauge<'state'> = new Gauge({
      name: 'gatehouse_webhook_events',
      help: 'Events in the outbox that all replicas share: waiting, or dead; at most 100000 are counted',
      labelNames: ['state'],
      registers,
      collect: async () => {
        const figures = await this.figures();
        for (const state of ['waiting', 'dead'] as const) {
          if (figures) events.set({ state }, figures[state]);
        }
      },
    });
  }

  /** Read once for concurrent scrapes; undefined during a database outage. */
  private figures(): Promise<OutboxFigures | undefined> {
    this.reading ??= readOutboxFigures(this.dataSource)
      .catch(() => undefined)
      .finally(() => (this.reading = undefined));
    return this.reading;
  }
}
