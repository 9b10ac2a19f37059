import { setTimeout as sleep } from 'node:timers/promises';
import { type ClientOptions, WebSocket } from 'ws';
import type { Tab } from '#libs/tab-hub';
import type { Browser } from './browser.js';
import { PATIENCE_MS } from '#libs/platform/testing';
import type { Service as Gatehouse } from './service.js';

export interface Frame {
  readonly event: string;
  readonly data: Record<string, unknown>;
}

export interface Closing {
  readonly code: number;
  readonly reason: string;
}

type Server = Pick<Gatehouse, 'port' | 'origin'>;

const TRY_AGAIN_LATER = 1013;

/** An open page from the hub's point of view: a connection and the frames received over it. */
export class TabClient {
  readonly frames: Frame[] = [];
  readonly closed: Promise<Closing>;
  private readonly watchers = new Set<() => void>();

  private constructor(readonly socket: WebSocket) {
    socket.on('message', (data) => {
      this.frames.push(JSON.parse(String(data)) as Frame);
      for (const watcher of this.watchers) watcher();
    });
    socket.on('error', () => undefined);
    this.closed = new Promise((resolve) => {
      socket.on('close', (code, reason) => resolve({ code, reason: String(reason) }));
    });
  }

  /** Connects with the browser's session; does not wait for an answer. */
  static dial(server: Server, { cookie }: Browser, options: ClientOptions = {}): TabClient {
    const headers = {
      host: new URL(server.origin).host,
      ...(cookie === undefined ? {} : { cookie }),
      ...options.headers,
    };
    const url = `ws://127.0.0.1:${server.port}/svc/me/tabs`;
    return new TabClient(new WebSocket(url, { ...options, headers }));
  }

  /** A tab that was welcomed; when the hub asks it to come back later, it retries as the protocol advises. */
  static async open(server: Server, browser: Browser, options?: ClientOptions): Promise<TabClient> {
    const tab = TabClient.dial(server, browser, options);
    try {
      await tab.next('welcome');
      return tab;
    } catch (error) {
      const { code } = await tab.closed;
      if (code !== TRY_AGAIN_LATER) throw error;
    }
    await sleep(200);
    return TabClient.open(server, browser, options);
  }

  /** The id that the hub assigned. */
  get id(): string {
    return String(this.frames.find(({ event }) => event === 'welcome')?.data['tabId']);
  }

  /** The latest list of tabs. */
  get tabs(): Tab[] {
    return (this.frames.findLast(({ data }) => data?.['tabs'])?.data['tabs'] ?? []) as Tab[];
  }

  say(event: string, data?: unknown) {
    this.socket.send(JSON.stringify({ event, data }));
  }

  received = (event: string) => this.frames.filter((frame) => frame.event === event);

  /** The data of the first frame of that event, received already or later, that matches. */
  async next<T = Record<string, unknown>>(
    event: string,
    fits: (data: T) => boolean = () => true,
  ): Promise<T> {
    const find = () => this.received(event).find(({ data }) => fits(data as T))?.data as T;
    await this.until(() => find() !== undefined, event);
    return find();
  }

  /** Sends a frame and returns the data of the answering event. */
  async ask<T = Record<string, unknown>>(event: string, data: unknown, answer: string) {
    this.frames.splice(0, this.frames.length, ...this.received('welcome'));
    this.say(event, data);
    return this.next<T>(answer);
  }

  /** Resolves when everything that was sent to it before has arrived. */
  async settle() {
    const mark = crypto.randomUUID();
    this.say('ping', { mark });
    await this.next<{ mark: string }>('pong', (data) => data.mark === mark);
  }

  /** Resolves when the list contains exactly these tabs. */
  async sees(...tabs: TabClient[]) {
    const ids = tabs
      .map(({ id }) => id)
      .toSorted()
      .join();
    const listed = () =>
      this.tabs
        .map(({ id }) => id)
        .toSorted()
        .join();
    await this.until(() => listed() === ids, `the tabs ${ids}`);
  }

  async until(isSo: () => boolean, what: string, patienceMs = PATIENCE_MS): Promise<void> {
    if (isSo()) return;
    await new Promise<void>((resolve, reject) => {
      const end = (settle: () => void) => {
        clearTimeout(timer);
        this.watchers.delete(check);
        settle();
      };
      const check = () => isSo() && end(resolve);
      const fail = (why: string) => () => end(() => reject(new Error(`no ${what}: ${why}`)));
      const timer = setTimeout(fail('it took too long'), patienceMs);
      this.watchers.add(check);
      void this.closed.then(({ code, reason }) => fail(`closed with ${code} ${reason}`)());
    });
  }

  async close() {
    this.socket.close();
    await this.closed;
  }
}
