import { Injectable } from '@nestjs/common';
import { Counter, Gauge, Registry } from 'prom-client';
import { DataSource } from 'typeorm';
import { readOutboxFigures } from '../../outbox/outbox-figures.sql.js';
import { OutboxService } from '../../outbox/outbox.service.js';

/** How far events got on their way out, read when somebody asks; nothing where they go nowhere. */
@Injectable()
export class OutboxMetricsService {
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
    const deliveries: Counter<'outcome'> = new Counter({
      name: 'gatehouse_webhook_deliveries_total',
      help: 'Attempts of this replica to deliver an event by outcome, and events that it gave up (dead)',
      labelNames: ['outcome'],
      registers: [this.registry],
      collect: () => {
        deliveries.reset();
        for (const [outcome, count] of Object.entries(counts)) deliveries.inc({ outcome }, count);
      },
    });
  }

  private showOutbox() {
    const registers = [this.registry];
    const oldest = new Gauge({
      name: 'gatehouse_webhook_oldest_waiting_seconds',
      help: 'For how long the oldest event that waits has waited; 0 when none waits',
      registers,
    });
    const events = new Gauge({
      name: 'gatehouse_webhook_events',
      help: 'Events in the outbox that all replicas share: waiting, or dead; at most 100000 are counted',
      labelNames: ['state'],
      registers,
      collect: async () => {
        const figures = await readOutboxFigures(this.dataSource).catch(() => undefined);
        if (figures === undefined) return;
        events.set({ state: 'waiting' }, figures.waiting);
        events.set({ state: 'dead' }, figures.dead);
        oldest.set(figures.oldestAgeMs / 1000);
      },
    });
  }
}
