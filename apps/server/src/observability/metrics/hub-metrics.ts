import { Counter, Gauge, Registry } from 'prom-client';
import type { TabConnectionsService, TabInflowService } from '#libs/tab-hub';

/** Shows the state of this replica's tab hub, read at each scrape. */
export function showHub(
  registry: Registry,
  connections: TabConnectionsService,
  { counts }: TabInflowService,
): void {
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
