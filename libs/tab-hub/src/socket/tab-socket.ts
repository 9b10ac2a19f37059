import { randomBytes } from 'node:crypto';
import { WebSocket, type WebSocketServer } from 'ws';
import type { AccountHub } from '../hub/account-hub.js';
import { type CloseFrame, SLOW_READER } from '../protocol/close-codes.js';
import { hubFrame } from '../protocol/hub-frame.js';
import type { LocalTab } from '../hub/local-tab.js';
import type { Tab } from '../protocol/tab.js';

const MAX_BUFFERED_BYTES = 1024 * 1024;

export type TabSocketServer = InstanceType<typeof WebSocketServer<typeof TabSocket>>;

/** One tab's connection. Emits `leaving` as soon as it begins to close, whoever closes it, and `written` at each frame. */
export class TabSocket extends WebSocket implements LocalTab {
  readonly id = randomBytes(16).toString('base64url');
  readonly requests = new Map<string, number>();
  readonly connectedAt = new Date().toISOString();
  userId = '';
  session = '';
  title = '';
  address = '';
  /** Settles when the tab was welcomed or turned away; frames wait for it. */
  opened = Promise.resolve();
  /** The hub it has entered. */
  hub: AccountHub | undefined;
  /** Whether it may be in the list of tabs. */
  isListed = false;
  /** Whether it gave a sign of life since the last heartbeat. */
  isAlive = true;
  /** How many messages wait for their `ack`. */
  pendingAcks = 0;
  private isWelcome = false;

  get tab(): Tab {
    const { id, title, address: url, connectedAt } = this;
    return { id, title, url, connectedAt };
  }

  get isOpen() {
    return this.readyState === WebSocket.OPEN;
  }

  welcome(others: readonly Tab[]) {
    this.isWelcome = true;
    this.write(hubFrame('welcome', { tabId: this.id, tabs: [...others, this.tab] }));
  }

  write(frame: string): boolean {
    if (!this.isWelcome || !this.isOpen) return false;
    this.send(frame);
    this.emit('written');
    return this.keepsUp();
  }

  /** Ends the connection of a tab that leaves too much unread. */
  keepsUp(): boolean {
    if (this.bufferedAmount <= MAX_BUFFERED_BYTES) return true;
    this.end(SLOW_READER);
    return false;
  }

  end({ code, reason }: CloseFrame) {
    this.close(code, reason);
  }

  /** The other side's close can only be read when nothing holds the inflow back. */
  override close(code?: number, reason?: string | Buffer) {
    this.resume();
    super.close(code, reason);
    this.emit('leaving');
  }
}
