import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { type WebSocket as Connection, WebSocketServer } from 'ws';
import { eventually } from '../../../../platform/src/testbed/eventually.testbed.js';
import type { HubEvents, Tab } from './client-api.js';
import { ToolRegistry } from './tools.js';
import { PageHub } from './hub.js';

interface Frame {
  readonly event: string;
  readonly data: Record<string, unknown>;
}

/** A page and a server over real connections; a spec decides what the server sends as the hub. */
export class PageHubTestbed {
  readonly server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  readonly connections: Connection[] = [];
  readonly heard: Frame[] = [];
  readonly events: [keyof HubEvents, unknown][] = [];
  readonly tools = new ToolRegistry(() => undefined);
  readonly hub: PageHub;
  account: () => Promise<string | null> = async () => 'ann';
  greet: (connection: Connection) => void = () => this.welcome();
  /** As the hub does, when it has acted on the frames before. */
  answerPing: (data: unknown) => void = (data) => this.say('pong', data);

  constructor() {
    this.hub = new PageHub(this.tools, {
      openSocket: () => new WebSocket(`ws://127.0.0.1:${this.port}`),
      account: () => this.account(),
      about: () => ({ title: 'x'.repeat(300), url: 'http://localhost/' }),
    });
    const types = ['state', 'tabs', 'message', 'account', 'requests', 'call', 'error'] as const;
    for (const type of types)
      this.hub.addEventListener(type, ({ detail }) => this.events.push([type, detail]));
    this.server.on('connection', (connection) => {
      this.connections.push(connection);
      connection.on('message', (text) => {
        const frame = JSON.parse(String(text)) as Frame;
        this.heard.push(frame);
        if (frame.event === 'ping') this.answerPing(frame.data);
      });
      this.greet(connection);
    });
  }

  private get port() {
    return (this.server.address() as AddressInfo).port;
  }

  async start() {
    if (!this.server.address()) await once(this.server, 'listening');
  }

  async stop() {
    this.hub.close();
    for (const connection of this.connections) connection.terminate();
    this.server.close();
    await once(this.server, 'close');
  }

  say(event: string, data: unknown) {
    this.connections.at(-1)?.send(JSON.stringify({ event, data }));
  }

  welcome(tabs: readonly Partial<Tab>[] = [{ id: 'own' }]) {
    this.say('welcome', { tabId: 'own', tabs });
  }

  async opened() {
    this.hub.open();
    await this.is('open');
  }

  is(state: HubEvents['state']) {
    return eventually(() => {
      if (this.hub.state !== state) throw new Error(`${this.hub.state}, not ${state}`);
    });
  }

  /** The data of all frames of that event, once `count` of them have arrived. */
  hears(event: string, count = 1) {
    return eventually(() => {
      const frames = this.heard.filter((frame) => frame.event === event);
      if (frames.length < count) throw new Error(`heard ${frames.length} times: ${event}`);
      return frames.map(({ data }) => data);
    });
  }

  /** Resolves when an app can call that tool of the page. */
  offers(name: string) {
    return eventually(() => {
      if (!this.tools.find(name)) throw new Error(`${name} cannot be called`);
    });
  }

  told = (type: keyof HubEvents) =>
    this.events.filter(([told]) => told === type).map(([, detail]) => detail);

  /** Resolves when the server has received everything that the page sent before. */
  async settle() {
    const before = this.heard.filter(({ event }) => event === 'result').length;
    this.say('request', { id: crypto.randomUUID(), app: '', method: 'no such tool', params: {} });
    await this.hears('result', before + 1);
  }
}
