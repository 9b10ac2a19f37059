import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { type ClientOptions, WebSocket, WebSocketServer } from 'ws';
import { type Session, SecurityEventsService, type SessionStore } from '#libs/accounts';
import { AccountTurns, SchemaChecks } from '#libs/platform';
import { InProcessTabBus } from '../bus/tab-bus.in-process.js';
import type { TabBusMessage } from '../bus/tab-bus.js';
import { AccountHubsService } from '../hub/account-hubs.service.js';
import { TestRequests } from '../hub/hub.testbed.js';
import { InProcessTabPresence } from '../presence/tab-presence.in-process.js';
import { OfferNotes } from '../presence/tab-presence.js';
import { SessionWatchService } from './session-watch.service.js';
import { TabConnectionsService } from './tab-connections.service.js';
import { TabOffersService } from './tab-offers.service.js';
import type { TabSocket } from './tab-socket.js';
import { TABS_GATEWAY, TabsGateway } from './tabs.gateway.js';

const HOUR_MS = 3_600_000;

/** A bus that may be lost, between this replica and others that never acknowledge anything. */
class TestTabBus extends InProcessTabBus {
  silentReplicas = 0;
  readonly published: TabBusMessage[] = [];
  private readonly losses: (() => void)[] = [];

  override async publish(userId: string, message: TabBusMessage) {
    this.published.push(message);
    return (await super.publish(userId, message)) + this.silentReplicas;
  }

  override onLost(listener: () => void) {
    this.losses.push(listener);
  }

  lose() {
    for (const listener of this.losses) listener();
  }
}

class TestTabPresence extends InProcessTabPresence {
  lose = () => {};

  override onLost(listener: () => void) {
    this.lose = listener;
  }
}

/** Where the sessions are kept: one, that ends when the spec says so. */
export class TestSessions {
  expiresAt = Date.now() + HOUR_MS;
  isDown = false;

  async expiryOf() {
    if (this.isDown) throw new Error('down');
    return this.expiresAt > Date.now() ? this.expiresAt : undefined;
  }

  async activeAmong(tokenHashes: readonly string[]) {
    return new Set((await this.expiryOf()) === undefined ? [] : tokenHashes);
  }

  asService() {
    return this as unknown as SessionStore;
  }
}

/** The services of a hub, and real connections to it over loopback. */
export class TabHubTestbed {
  readonly session: Session = {
    tokenHash: 'hash',
    id: 'session',
    user: { id: 'ann', displayName: 'Ann' },
    beganBy: 'recovery',
    credentialId: null,
    createdAt: Date.now(),
    expiresAt: Date.now() + HOUR_MS,
  };
  readonly bus = new TestTabBus();
  readonly presence = new TestTabPresence();
  readonly sessions = new TestSessions();
  readonly requests = new TestRequests();
  readonly hubs = new AccountHubsService(this.bus, this.presence, this.requests);
  readonly watch = new SessionWatchService(this.sessions.asService(), new SecurityEventsService());
  readonly connections = new TabConnectionsService(this.hubs, this.watch, this.presence, this.bus);
  readonly checks = new SchemaChecks();
  readonly gateway = new TabsGateway(
    this.connections,
    new TabOffersService(
      this.checks,
      this.connections,
      this.presence,
      this.bus,
      new OfferNotes(),
      new AccountTurns(),
    ),
  );
  private readonly tabs = new WebSocketServer({
    ...TABS_GATEWAY,
    path: '/',
    noServer: true,
  });
  private readonly server = createServer();
  private readonly pages: WebSocket[] = [];

  async start() {
    this.hubs.onModuleInit();
    this.watch.onModuleInit();
    this.connections.onModuleInit();
    this.server.on('upgrade', (request, socket, head) =>
      this.tabs.handleUpgrade(request, socket, head, (tab) => {
        tab.attach(socket as Socket, { received: 0, sent: 0, dropped: 0 });
        tab.onLeaving = () => void this.connections.leave(tab);
        this.tabs.emit('connection', tab);
      }),
    );
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
  }

  async stop() {
    await this.connections.onModuleDestroy();
    this.watch.onModuleDestroy();
    await this.checks.onModuleDestroy();
    for (const tab of this.tabs.clients) tab.terminate();
    // One that does not read does not notice.
    for (const page of this.pages) if (page.readyState !== WebSocket.CONNECTING) page.terminate();
    this.server.close();
  }

  /** Both ends of a connection, once the tab was welcomed or turned away; `closed` is the code it ended with. */
  async connect(options: ClientOptions = {}) {
    const { port } = this.server.address() as AddressInfo;
    const connected = once(this.tabs, 'connection') as Promise<[TabSocket]>;
    const page = new WebSocket(`ws://127.0.0.1:${port}`, options);
    this.pages.push(page);
    const frames: { event: string; data: Record<string, unknown> }[] = [];
    page.on('message', (data) => frames.push(JSON.parse(String(data)) as (typeof frames)[number]));
    const closed = once(page, 'close').then(([code]) => code as number);
    const [tab] = await connected;
    await this.connections.open(tab, this.session);
    return { tab, page, frames, closed };
  }
}
