import { Injectable } from '@nestjs/common';
import { IssuerKeysService } from '#libs/oauth';
import { TabConnectionsService, TabInflowService } from '#libs/tab-hub';
import { Registry, scrapedCounter, scrapedGauge } from '../prometheus.js';

/** The state of this replica's tab hub, read at each scrape. */
@Injectable()
export class HubMetricsService {
  constructor(
    registry: Registry,
    connections: TabConnectionsService,
    { counts }: TabInflowService,
  ) {
    scrapedGauge(
      registry,
      'gatehouse_hub_sockets',
      'Tabs that are connected to this replica',
      () => connections.all.size,
    );
    const messages = {
      name: 'gatehouse_hub_messages_total',
      help: 'Frames between hub and tabs of this replica: in from tabs, out to tabs',
      labelNames: ['direction'],
    };
    scrapedCounter(registry, messages, (counter) => {
      counter.inc({ direction: 'in' }, counts.received);
      counter.inc({ direction: 'out' }, counts.sent);
    });
    const dropped = {
      name: 'gatehouse_hub_dropped_messages_total',
      help: 'What tabs sent beyond the rate and size that a tab may: nothing was done for it',
    };
    scrapedCounter(registry, dropped, (counter) => counter.inc(counts.dropped));
  }
}

/** The fetches of trusted issuers' keys, read at each scrape; nothing where no issuer is trusted. */
@Injectable()
export class IssuerKeyMetricsService {
  constructor(registry: Registry, { fetches }: IssuerKeysService) {
    if (fetches.size === 0) return;
    const description = {
      name: 'gatehouse_issuer_key_fetches_total',
      help: 'Fetches of the keys of trusted issuers by outcome',
      labelNames: ['issuer', 'outcome'],
    };
    scrapedCounter(registry, description, (counter) => {
      for (const [issuer, counts] of fetches) {
        for (const [outcome, count] of Object.entries(counts)) {
          counter.inc({ issuer, outcome }, count);
        }
      }
    });
  }
}
