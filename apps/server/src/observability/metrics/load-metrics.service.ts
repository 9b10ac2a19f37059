import { Injectable } from '@nestjs/common';
import { Counter, Gauge, Registry } from 'prom-client';
import type { LoadShedder } from '#libs/platform';

/** The load of this replica, read at each scrape. */
@Injectable()
export class LoadMetricsService {
  /** The load shedder whose figures are shown; undefined until it is set. */
  shown: LoadShedder | undefined;

  constructor(private readonly registry: Registry) {}

  show(load: LoadShedder) {
    this.shown = load;
    const registers = [this.registry];
    const gauge = (name: string, help: string, read: () => number) => {
      const one: Gauge = new Gauge({ name, help, registers, collect: () => one.set(read()) });
    };
    gauge('gatehouse_requests_at_work', 'Requests worked on just now', () => load.atWork);
    gauge('gatehouse_body_bytes', 'Memory that unfinished bodies take', () => load.bodies.bytes);
    const shed: Counter<'bound'> = new Counter({
      name: 'gatehouse_shed_requests_total',
      help: 'Requests turned away with 503 because there was too much to do, by what there was too much of',
      labelNames: ['bound'],
      registers,
      collect: () => {
        shed.reset();
        for (const [bound, count] of Object.entries(load.refused)) shed.inc({ bound }, count);
      },
    });
  }
}
