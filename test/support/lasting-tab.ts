import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser } from './browser.js';
import type { Gatehouse } from './gatehouse.js';
import { TabClient } from './tab-client.js';

const FIRST_BOUND_MS = 1_000;
const LAST_BOUND_MS = 30_000;

/** A page that reconnects to the hub as docs/reference/hub-protocol.md advises, until it is closed. */
export class LastingTab {
  /** Close codes in the order of arrival; 1006 where the connection failed. */
  readonly closings: number[] = [];
  /** The bodies of all messages that arrived before the current connection. */
  private readonly past: unknown[] = [];
  private tab: TabClient;
  private stays = true;
  private readonly life: Promise<void>;

  constructor(
    private readonly server: Pick<Gatehouse, 'port' | 'origin'>,
    private readonly browser: Browser,
  ) {
    this.tab = TabClient.dial(this.server, this.browser);
    this.life = this.live();
  }

  /** How many tabs it knows of while it is connected. */
  get sees(): number {
    return this.isOpen ? this.tab.tabs.length : 0;
  }

  /** The bodies of all messages in the order of arrival, over all connections. */
  get messages(): readonly unknown[] {
    return [...this.past, ...bodiesOf(this.tab)];
  }

  async leave() {
    this.stays = false;
    this.tab.socket.close();
    await this.life;
  }

  private get isOpen() {
    return this.tab.socket.readyState === this.tab.socket.OPEN;
  }

  private async live() {
    let boundMs = FIRST_BOUND_MS;
    for (;;) {
      const { code } = await this.tab.closed;
      if (!this.stays) return;
      this.closings.push(code);
      boundMs = this.wasWelcome ? FIRST_BOUND_MS : Math.min(2 * boundMs, LAST_BOUND_MS);
      await sleep(randomInt(boundMs));
      if (!this.stays) return;
      this.past.push(...bodiesOf(this.tab));
      this.tab = TabClient.dial(this.server, this.browser);
    }
  }

  private get wasWelcome() {
    return this.tab.received('welcome').length > 0;
  }
}

const bodiesOf = (tab: TabClient) => tab.received('message').map(({ data }) => data['body']);
