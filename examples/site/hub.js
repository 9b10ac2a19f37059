import { nextDelayMs } from './backoff.js';

const PATH = '/svc/me/tabs';
const PING_EVERY_MS = 20_000;
const ACK_WITHIN_MS = 10_000;

const UNCONFIRMED = 'the hub did not confirm it';

const SESSION_ENDED = 4401;
const TOO_MANY_TABS = 4429;

/**
 * This tab's connection to the hub of its account. It comes back by itself after a restart of the
 * service (1001), a slow spell (1013, 4408) or a lost network, and stays away when the session has
 * ended (4401) or the account has too many tabs (4429).
 *
 * `onState` gets `connecting`, `open`, `waiting`, `signed-out`, `too-many-tabs` or `closed`; `onFrame`
 * gets the event and data of every frame that is not an answer to one of ours.
 */
export class Hub {
  #socket;
  #reconnecting;
  #pinging;
  #failures = 0;
  #silent = false;
  #awaited = new Map();
  #onState;
  #onFrame;

  constructor({ onState, onFrame }) {
    this.#onState = onState;
    this.#onFrame = onFrame;
    // Why wait when the network is back?
    addEventListener('online', () => this.#reconnecting && this.open());
  }

  open() {
    this.#drop();
    this.#onState('connecting');
    const socket = new WebSocket(location.origin.replace(/^http/, 'ws') + PATH);
    // One that was given up may still have something to say.
    const isCurrent = () => this.#socket === socket;
    socket.addEventListener('message', ({ data }) => isCurrent() && this.#hear(JSON.parse(data)));
    socket.addEventListener('close', ({ code }) => isCurrent() && this.#lost(code));
    this.#socket = socket;
    this.#silent = false;
    this.#pinging = setInterval(() => this.#ping(), PING_EVERY_MS);
  }

  close() {
    this.#drop();
    this.#onState('closed');
  }

  /** Returns whether there was a connection to send it on. */
  emit(event, data) {
    if (this.#socket?.readyState !== WebSocket.OPEN) return false;
    this.#socket.send(JSON.stringify({ event, data }));
    return true;
  }

  /**
   * Sends to one tab, or to all other tabs with `*`. Resolves to how many tabs got it, rejects with a
   * sentence when that is not known.
   */
  deliver(to, body) {
    const id = crypto.randomUUID();
    return new Promise((resolve, reject) => {
      this.#awaited.set(id, { resolve, reject });
      if (!this.emit('send', { to, body, id })) this.#giveUp('there is no connection to the hub');
      setTimeout(() => this.#awaited.delete(id) && reject(new Error(UNCONFIRMED)), ACK_WITHIN_MS);
    });
  }

  #hear({ event, data }) {
    this.#silent = false;
    if (event === 'pong') return this.#lasted();
    if (event === 'ack') return this.#acknowledge(data);
    if (event === 'error' && this.#awaited.size > 0) return this.#giveUp(data.message);
    if (event === 'welcome') this.#onState('open');
    this.#onFrame(event, data);
  }

  #acknowledge({ id, delivered }) {
    this.#awaited.get(id)?.resolve(delivered);
    this.#awaited.delete(id);
  }

  /** The hub does not say which frame an error is about: it is about one of those under way. */
  #giveUp(message) {
    for (const { reject } of this.#awaited.values()) reject(new Error(message));
    this.#awaited.clear();
  }

  /** Not on `welcome`: a hub in trouble may welcome and close again and again, and needs a rest. */
  #lasted() {
    this.#failures = 0;
  }

  /** A dead network closes nothing for minutes: no sign of life since the last ping is the end, too. */
  #ping() {
    if (this.#silent) return this.#lost();
    this.#silent = true;
    this.emit('ping', null);
  }

  #lost(code) {
    this.#drop();
    if (code === SESSION_ENDED) return this.#onState('signed-out');
    if (code === TOO_MANY_TABS) return this.#onState('too-many-tabs');
    this.#reconnecting = setTimeout(() => this.open(), nextDelayMs(this.#failures));
    this.#failures += 1;
    this.#onState('waiting');
  }

  #drop() {
    clearTimeout(this.#reconnecting);
    clearInterval(this.#pinging);
    this.#reconnecting = undefined;
    const socket = this.#socket;
    this.#socket = undefined;
    socket?.close();
    this.#giveUp('the connection to the hub is lost');
  }
}
