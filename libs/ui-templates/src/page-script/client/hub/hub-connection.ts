import type { HubState } from '../client-api.js';
import { delayMs } from './backoff.js';

const PING_EVERY_MS = 20_000;
const SESSION_ENDED = 4401;
const TOO_MANY_TABS = 4429;

export interface HubLine {
  openSocket(): WebSocket;
  /** Called when a connection was refused, because a page cannot see the reason. */
  isSignedIn(): Promise<boolean>;
  onState(state: HubState): void;
  onFrame(event: string, data: unknown): void;
}

/**
 * The connection of a tab. It reconnects after a restart of the service (1001), an overload (1013, 4408) or a lost
 * network, and stays closed when the session ended (4401) or the account has too many tabs (4429).
 */
export class HubConnection {
  readonly #line: HubLine;
  #state: HubState = 'closed';
  #socket: WebSocket | undefined;
  #reconnecting: ReturnType<typeof setTimeout> | undefined;
  #pinging: ReturnType<typeof setInterval> | undefined;
  #failures = 0;
  #isSilent = false;
  #wasRefused = false;

  constructor(line: HubLine) {
    this.#line = line;
  }

  get state() {
    return this.#state;
  }

  open() {
    if (this.#socket) return;
    clearTimeout(this.#reconnecting);
    const socket = this.#line.openSocket();
    // A socket that was given up may still emit events.
    const isCurrent = () => this.#socket === socket;
    socket.addEventListener('message', ({ data }) => isCurrent() && this.#hear(String(data)));
    socket.addEventListener('close', ({ code }) => isCurrent() && this.#lost(code));
    this.#socket = socket;
    this.#isSilent = false;
    this.#wasRefused = true;
    this.#pinging = setInterval(() => this.#ping(), PING_EVERY_MS);
    this.#become('connecting');
  }

  close() {
    this.#drop();
    this.#failures = 0;
    this.#become('closed');
  }

  /** Reconnects without the rest of the delay, because the network is back. */
  hurry() {
    if (this.#state === 'waiting') this.open();
  }

  /** Returns whether a connection was open to send it on. */
  send(text: string): boolean {
    if (this.#state !== 'open') return false;
    this.#socket?.send(text);
    return true;
  }

  #hear(text: string) {
    const { event, data } = JSON.parse(text) as { event: string; data: unknown };
    this.#isSilent = false;
    // Not at the welcome: a hub in trouble may welcome and close repeatedly, so the delay must grow.
    if (event === 'pong') this.#failures = 0;
    if (event === 'welcome') {
      this.#wasRefused = false;
      this.#become('open');
    }
    this.#line.onFrame(event, data);
  }

  /**
   * A dead network closes nothing for minutes: a ping without any sign of life since the last one also ends the
   * connection.
   */
  #ping() {
    if (this.#isSilent) return this.#lost();
    this.#isSilent = true;
    this.send('{"event":"ping"}');
  }

  #lost(code?: number) {
    this.#drop();
    if (code === SESSION_ENDED) return this.#become('signed-out');
    if (code === TOO_MANY_TABS) return this.#become('too-many-tabs');
    this.#reconnecting = setTimeout(() => void this.#retry(), delayMs(this.#failures));
    this.#failures += 1;
    this.#become('waiting');
  }

  async #retry() {
    const isOut = this.#wasRefused && !(await this.#line.isSignedIn().catch(() => true));
    if (this.#state !== 'waiting') return;
    if (isOut) this.#become('signed-out');
    else this.open();
  }

  #drop() {
    clearTimeout(this.#reconnecting);
    clearInterval(this.#pinging);
    const socket = this.#socket;
    this.#socket = undefined;
    socket?.close();
  }

  #become(state: HubState) {
    if (this.#state === state) return;
    this.#state = state;
    this.#line.onState(state);
  }
}
