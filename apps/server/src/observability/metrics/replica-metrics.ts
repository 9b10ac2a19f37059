import { Injectable } from '@nestjs/common';
import { Counter, Gauge, Registry } from 'prom-client';
import { IssuerKeysService } from '#libs/oauth';
import { TabConnectionsService, TabInflowService } from '#libs/tab-hub';

/** The state of this replica's tab hub, read at each scrape. */
@Injectable()
export class HubMetricsService {
  constructor(
    registry: Registry,
    connections: TabConnectionsService,
    { counts }: TabInflowService,
  ) {
    const registers = [registry];
    const sockets: Gauge = new Gauge({
      name: 'gatehouse_hub_sockets',
      help: 'Tabs that are connected to this replica',
      registers,
      collect: () => sockets.set(connections.all.size),
    });
    const messages: Counter<'direction'> = new Counter({
      name: 'gatehouse_hub_messages_total',
      help: 'Frames between hub and tabs of this replica: in from tabs, out to tabs',
      labelNames: ['direction'],
      registers,
      collect: () => {
        messages.reset();
        messages.inc({ direction: 'in' }, counts.received);
        messages.inc({ direction: 'out' }, counts.sent);
      },
    });
    const dropped: Counter = new Counter({
      name: 'gatehouse_hub_dropped_messages_total',
      help: 'What tabs sent beyond the rate and size that a tab may: nothing was done for it',
      registers,
      collect: () => {
        dropped.reset();
        dropped.inc(counts.dropped);
      },
    });
  }
}

/** The fetches of trusted issuers' keys, read at each scrape; nothing where no issuer is trusted. */
@Injectable()
export class IssuerKeyMetricsService {
  constructor(registry: Registry, { fetches }: IssuerKeysService) {
    if (fetches.size === 0) return;
    const counter: Counter<'issuer' | 'outcome'> = new Counter({
      name: 'gatehouse_issuer_key_fetches_total',
      help: 'Fetches of the keys of trusted issuers by outcome',
      labelNames: ['issuer', 'outcome'],
      registers: [registry],
      collect: () => {
        counter.reset();
        for (const [issuer, counts] of fetches) {
          for (const [outcome, count] of Object.entries(counts)) {
            counter.inc({ issuer, outcome }, count);
          }
        }
      },
    });
  }
}
