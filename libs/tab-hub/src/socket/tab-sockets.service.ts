import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import type { RawData } from 'ws';
import type { Session } from '#libs/accounts';
import { Buckets } from '#libs/load';
import { GOING_AWAY, TOO_MANY_MESSAGES } from '../protocol/close-codes.js';
import { FrameError } from '../protocol/frame.error.js';
import { FrameQueue } from './frame-queue.js';
import { MessageRate } from './message-rate.js';
import { TabConnectionsService } from './tab-connections.service.js';
import { createTabSocketServer, type FrameCounts, type TabSocket } from './tab-socket.js';
import { TabsGateway } from './tabs.gateway.js';
import type { Upgrade } from './upgrades.js';

/** Of all tabs of an account to this replica. */
const BYTES = 2 * 1024 * 1024;

const TOO_FAST = new FrameError(
  'rate_limited',
  'slow down to 50 messages a second, and 2 MiB a second from all tabs together',
);
const BINARY = new FrameError('bad_message', 'a frame must be text');

/** Runs what lives longer than the request that it began with, which is then not kept for it. */
const outsideOfRequests = AsyncLocalStorage.snapshot();

/** The connections of tabs: frames reach the gateway one after the other, limited in size and rate. */
@Injectable()
export class TabSocketsService implements BeforeApplicationShutdown {
  readonly counts: FrameCounts = { received: 0, sent: 0, dropped: 0 };
  private readonly traffic = new Buckets({ atOnce: BYTES, perSecond: BYTES });
  private readonly server = createTabSocketServer();

  constructor(
    private readonly gateway: TabsGateway,
    private readonly connections: TabConnectionsService,
  ) {}

  /** Connections that are not closed yet. */
  get size() {
    return this.server.clients.size;
  }

  /** How many of them each account has. */
  countByAccount(): ReadonlyMap<string, number> {
    const counts = new Map<string, number>();
    for (const { userId } of this.server.clients) counts.set(userId, (counts.get(userId) ?? 0) + 1);
    return counts;
  }

  /** Makes a tab's connection of a request of its session. @throws Error that says what is wrong with the handshake */
  accept(request: IncomingMessage, { socket, head, release }: Upgrade, session: Session) {
    const refuse = (error: Error) => {
      throw error;
    };
    this.server.once('wsClientError', refuse);
    try {
      this.server.handleUpgrade(request, socket, head, (tab) => {
        release();
        outsideOfRequests(() => this.connect(tab, socket, session));
      });
    } finally {
      this.server.off('wsClientError', refuse);
    }
  }

  async beforeApplicationShutdown() {
    const closed = new Promise((resolve) => {
      this.server.close(resolve);
    });
    for (const tab of this.server.clients) tab.end(GOING_AWAY);
    await closed;
  }

  private connect(tab: TabSocket, wire: Socket, session: Session) {
    tab.attach(wire, this.counts);
    tab.opened = this.connections.open(tab, session);
    const rate = new MessageRate();
    const queue = new FrameQueue<RawData>(tab, (raw) => this.gateway.take(tab, raw));
    tab.on('error', ignore);
    tab.on('message', (raw: RawData, isBinary: boolean) => {
      tab.isAlive = true;
      this.counts.received += 1;
      const fits = () => this.traffic.take(tab.userId, sizeOf(raw));
      if (!tab.isOpen || !this.isAdmitted(rate, tab, fits)) return;
      if (isBinary) tab.refuse(BINARY);
      else queue.push(raw);
    });
    // A pong has been sent by itself already, and may be left unread.
    tab.on('ping', () => this.isAdmitted(rate, tab) && tab.keepsUp());
    tab.on('pong', () => {
      tab.isAlive = true;
      this.isAdmitted(rate, tab);
    });
  }

  /** Counts a message and, when it is one too many, says so or ends the connection. */
  private isAdmitted(rate: MessageRate, tab: TabSocket, fits?: () => boolean): boolean {
    const action = rate.take(fits);
    if (action === 'pass') return true;
    this.counts.dropped += 1;
    if (action === 'warn') tab.refuse(TOO_FAST);
    if (action === 'close') tab.end(TOO_MANY_MESSAGES);
    return false;
  }
}

const ignore = () => undefined;

const sizeOf = (raw: RawData) =>
  Array.isArray(raw) ? raw.reduce((sum, { length }) => sum + length, 0) : raw.byteLength;
