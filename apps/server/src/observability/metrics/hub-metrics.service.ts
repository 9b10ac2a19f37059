import { Injectable } from '@nestjs/common';
import { Counter, Gauge, Registry } from 'prom-client';

/** What the tab hub of this replica does. */
@Injectable()
export class HubMetricsService {
  private readonly sockets: Gauge;
  private readonly messages: Counter<'direction'>;

  constructor(registry: Registry) {
    const registers = [registry];
    this.sockets = new Gauge({
      name: 'gatehouse_hub_sockets',
      help: 'Tabs that are connected to this replica',
      registers,
    });
    this.messages = new Counter({
      name: 'gatehouse_hub_messages_total',
      help: 'Frames between hub and tabs of this replica: in from tabs, out to tabs',
      labelNames: ['direction'],
      registers,
    });
    for (const direction of ['in', 'out']) this.messages.inc({ direction }, 0);
  }

  opened() {
    this.sockets.inc();
  }

  closed() {
    this.sockets.dec();
  }

  received() {
    this.messages.inc({ direction: 'in' });
  }

  sent() {
    this.messages.inc({ direction: 'out' });
  }
}
