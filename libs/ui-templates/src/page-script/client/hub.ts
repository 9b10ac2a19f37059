import type { Hub, HubEvents, HubState, OpenRequest, Tab } from './client-api.js';
import { type ToolRegistry, ToolCalls, type ToolRequest } from './tools.js';

const FIRST_BOUND_MS = 1000;
const LAST_BOUND_MS = 30_000;
const PING_EVERY_MS = 20_000;
const SESSION_ENDED = 4401;
const TOO_MANY_TABS = 4429;

interface HubLine {
  openSocket(): WebSocket;
  /** The id of the account that is signed in, or null. */
  account(): Promise<string | null>;
  onState(state: HubState): void;
  onFrame(event: string, data: unknown): void;
}

/**
 * The connection of a tab. It reconnects after a restart of the service (1001), an overload (1013, 4408) or a lost
 * network, and stays closed when the session ended (4401) or the account has too many tabs (4429). By itself it comes
 * back for the account for which it was opened alone: a page that shows what is of one account serves no other.
 */
class HubConnection {
  #state: HubState = 'closed';
  #socket: WebSocket | undefined;
  /** For the next ping, or while `waiting` for the next attempt. */
  #timer: ReturnType<typeof setTimeout> | undefined;
  #failures = 0;
  #isSilent = false;
  /** The account for which it was opened; undefined where the service did not say. */
  #owner: Promise<string | null | undefined> | undefined;
  /** Ends earlier attempts to come back, which ask who is signed in first. */
  #attempt: object | undefined;

  constructor(private readonly line: HubLine) {}

  get state() {
    return this.#state;
  }

  open() {
    if (this.#socket) return;
    this.#owner = this.#account();
    this.#connect();
  }

  #connect() {
    clearTimeout(this.#timer);
    const socket = this.line.openSocket();
    // A socket that was given up may still emit events.
    const isCurrent = () => this.#socket === socket;
    socket.addEventListener('message', ({ data }) => isCurrent() && this.#hear(String(data)));
    socket.addEventListener('close', ({ code }) => isCurrent() && this.#lost(code));
    this.#socket = socket;
    this.#isSilent = false;
    this.#timer = setTimeout(() => this.#ping(), PING_EVERY_MS);
    this.#become('connecting');
  }

  close() {
    this.#drop();
    this.#failures = 0;
    this.#become('closed');
  }

  /** For a page that stands still and may not come back; `hurry` ends it. */
  pause() {
    if (!this.#socket && this.#state !== 'waiting') return;
    this.#drop();
    this.#become('waiting');
  }

  /** Comes back without the rest of the delay. */
  hurry() {
    if (this.#state === 'waiting') void this.#retry();
  }

  send(text: string): boolean {
    if (this.#state !== 'open') return false;
    this.#socket?.send(text);
    return true;
  }

  #hear(text: string) {
    const { event, data } = JSON.parse(text) as { event: string; data: unknown };
    this.#isSilent = false;
    // Not at the welcome, nor the pong of a list that follows it: a hub in trouble may welcome and close repeatedly, so
    // the delay must grow.
    if (event === 'pong' && !data) this.#failures = 0;
    if (event === 'welcome') {
      this.#owner = this.#owner?.then((owner) => owner ?? this.#account());
      this.#become('open');
    }
    this.line.onFrame(event, data);
  }

  /** A dead network closes nothing for minutes: no sign of life since the last ping ends the connection. */
  #ping() {
    if (this.#isSilent) return this.#lost();
    this.#isSilent = true;
    this.send('{"event":"ping"}');
    this.#timer = setTimeout(() => this.#ping(), PING_EVERY_MS);
  }

  #lost(code?: number) {
    this.#drop();
    if (code === SESSION_ENDED) return this.#become('signed-out');
    if (code === TOO_MANY_TABS) return this.#become('too-many-tabs');
    this.#retryLater();
    this.#become('waiting');
  }

  #retryLater() {
    // Random, so that a thousand tabs do not reconnect at once.
    const delayMs = Math.random() * Math.min(LAST_BOUND_MS, FIRST_BOUND_MS * 2 ** this.#failures);
    this.#timer = setTimeout(() => void this.#retry(), delayMs);
    this.#failures += 1;
  }

  async #retry() {
    const attempt = (this.#attempt = {});
    clearTimeout(this.#timer);
    const [owner, account] = await Promise.all([this.#owner, this.#account()]);
    if (this.#attempt !== attempt || this.#state !== 'waiting') return;
    if (account === undefined) return this.#retryLater();
    if (account === null || account !== (owner ?? account)) return this.#become('signed-out');
    this.#owner = Promise.resolve(account);
    this.#connect();
  }

  #account() {
    return this.line.account().catch(() => undefined);
  }

  #drop() {
    clearTimeout(this.#timer);
    this.#attempt = undefined;
    const socket = this.#socket;
    this.#socket = undefined;
    socket?.close();
  }

  #become(state: HubState) {
    if (this.#state === state) return;
    this.#state = state;
    this.line.onState(state);
  }
}

const ACK_WITHIN_MS = 10_000;
const ANNOUNCE_WITHIN_MS = 100;
/** For a list that was refused for no tool of its own, such as for too many frames. */
const ANNOUNCE_AGAIN_AFTER_MS = 5000;
/** The hub tells of dropped frames once a second at most, so a list that is dropped earlier may not be told of. */
const QUIET_AFTER_DROPS_MS = 2000;
/** By as much clocks of replicas may differ: one says when a tab has connected, another when a call ends. */
const LATE_MS = 2000;
const MAX_TITLE = 200;
const MAX_URL = 2048;

/** The page's address and title, and its connection to the hub. */
interface HubSurroundings extends Pick<HubLine, 'openSocket' | 'account'> {
  about(): { readonly title: string; readonly url: string };
}

type Frames = {
  welcome: { readonly tabId: string; readonly tabs: readonly Tab[] };
  ack: { readonly id: string; readonly delivered: number };
  request: ToolRequest & { readonly expiresAt: string };
  cancel: { readonly id: string };
  tabs: { readonly tabs: readonly Tab[] };
  requests: { readonly requests: readonly OpenRequest[] };
  pong: { readonly list?: number } | undefined;
  /** With the `id` of a request when the page's answer came too late. */
  error: HubEvents['error'] & { readonly id?: string };
} & Pick<HubEvents, 'message' | 'account'>;

/** An EventTarget with typed events. */
type HubEventTarget = Pick<Hub, 'addEventListener' | 'removeEventListener'> &
  Pick<EventTarget, 'dispatchEvent'>;
const HubEventTarget = EventTarget as unknown as new () => HubEventTarget;

/** {@link Hub} over frames: docs/reference/hub-protocol.md. */
export class PageHub extends HubEventTarget implements Hub {
  tabId: string | undefined;
  tabs: readonly Tab[] = [];
  requests: readonly OpenRequest[] = [];
  readonly #tools: ToolRegistry;
  readonly #surroundings: HubSurroundings;
  readonly #connection: HubConnection;
  readonly #calls: ToolCalls;
  /** What ends the wait for the ack of a sent message, by its id. */
  readonly #awaited = new Map<string, (outcome: number | Error) => void>();
  #about: { readonly title?: string; readonly url?: string } = {};
  #announcing: ReturnType<typeof setTimeout> | undefined;
  #announced = '';
  /** Sends a list again, or later. */
  #again: ReturnType<typeof setTimeout> | undefined;
  /** Lists that the hub has not acted on yet; the number of each comes back with the pong after it. */
  #sent: { readonly list: number; readonly tools: ReturnType<ToolRegistry['list']> }[] = [];
  #lists = 0;
  #droppedAt = -Infinity;
  /** By how much the hub's clock was ahead of those of the page at the welcome, in ms, or by less if that was read late. */
  #ahead = { steadyMs: NaN, wallMs: NaN };

  constructor(tools: ToolRegistry, surroundings: HubSurroundings) {
    super();
    this.#tools = tools;
    this.#surroundings = surroundings;
    this.#connection = new HubConnection({
      ...surroundings,
      onState: (state) => this.#changed(state),
      onFrame: (event, data) => this.#hear(event, data),
    });
    this.#calls = new ToolCalls(tools, {
      send: (text) => this.#connection.send(text),
      onEnd: (call) => this.#tell('call', call),
    });
    tools.onChange = () => this.#announceSoon();
  }

  get state() {
    return this.#connection.state;
  }

  open() {
    this.#connection.open();
  }

  close() {
    this.#connection.close();
  }

  /** Reconnects without the rest of the delay, because the network or the page is back. */
  hurry() {
    this.#connection.hurry();
  }

  /** Disconnects until `hurry`: the page is left, but the browser may keep it, or it is about to stand still. */
  pause() {
    this.#connection.pause();
  }

  describe(about: { readonly title?: string; readonly url?: string }) {
    this.#about = { ...this.#about, ...about };
    this.#introduce();
  }

  async send(body: unknown, to = '*'): Promise<number> {
    const id = crypto.randomUUID();
    if (!this.#say('send', { to, body, id })) throw new Error('there is no connection to the hub');
    return new Promise((resolve, reject) => {
      const settle = (outcome: number | Error) => {
        clearTimeout(timer);
        this.#awaited.delete(id);
        if (outcome instanceof Error) reject(outcome);
        else resolve(outcome);
      };
      const timer = setTimeout(settle, ACK_WITHIN_MS, new Error('the hub did not confirm it'));
      this.#awaited.set(id, settle);
    });
  }

  /** Rejects all messages that wait for an ack: the hub does not say which frame an error refers to. */
  #giveUp(message: string) {
    for (const settle of this.#awaited.values()) settle(new Error(message));
  }

  readonly #on: { [Event in keyof Frames]: (data: Frames[Event]) => void } = {
    welcome: ({ tabId, tabs }) => {
      this.tabId = tabId;
      const own = tabs.find(({ id }) => id === tabId);
      const at = Date.parse(own?.connectedAt ?? '');
      this.#ahead = { steadyMs: at - performance.now(), wallMs: at - Date.now() };
      this.#introduce();
      this.#announced = '[]';
      this.#announce();
      this.#list('tabs', tabs);
      this.#tell('state', 'open');
    },
    tabs: ({ tabs }) => this.#list('tabs', tabs),
    requests: ({ requests }) => this.#list('requests', requests),
    ack: ({ id, delivered }) => this.#awaited.get(id)?.(delivered),
    request: (request) => {
      const lateAt = Date.parse(request.expiresAt) + LATE_MS;
      // The call ended while the page stood still.
      if (performance.now() + this.#ahead.steadyMs > lateAt) return;
      if (Date.now() + this.#ahead.wallMs > lateAt) {
        // Or while the machine slept, as the other clock may have, unless this one was set: the next welcome tells.
        this.pause();
        return this.hurry();
      }
      void this.#calls.run(request);
    },
    cancel: ({ id }) => this.#calls.cancel(id),
    pong: (data) => {
      const at = this.#sent.findIndex(({ list }) => list === data?.list);
      const [actedOn, ...later] = at < 0 ? [] : this.#sent.slice(at);
      if (!actedOn) return;
      this.#sent = later;
      this.#tools.check(actedOn.tools);
      for (const { tools } of later) this.#tools.checkOnly(tools);
    },
    message: (message) => this.#tell('message', message),
    account: (news) => this.#tell('account', news),
    error: (error) => {
      // The answer crossed a timeout or cancellation, which `cancel` reports: this is not an error.
      if (error.id !== undefined) return;
      // What it refuses may have changed since.
      const refused = this.#sent[0]?.tools;
      this.#doubt(error);
      if (error.tool === undefined && this.#awaited.size > 0) return this.#giveUp(error.message);
      this.#tools.refuse(error, refused);
      this.#tell('error', error);
    },
  };

  /** Ignores unknown events: a newer hub may send more than this version knows. */
  #hear(event: string, data: unknown) {
    if (Object.hasOwn(this.#on, event)) this.#on[event as keyof Frames](data as never);
  }

  /** The `open` state is dispatched with the welcome, when the list of tabs is known. */
  #changed(state: HubState) {
    this.#sent = [];
    this.#tools.forget();
    if (state === 'open') return;
    this.tabId = undefined;
    this.#list('tabs', []);
    this.#list('requests', []);
    this.#calls.cancelAll();
    this.#giveUp('the connection to the hub is lost');
    this.#tell('state', state);
  }

  #list<Name extends 'tabs' | 'requests'>(name: Name, list: HubEvents[Name]) {
    if (list.length === 0 && this[name].length === 0) return;
    Object.assign(this, { [name]: list });
    this.#tell(name, list);
  }

  #introduce() {
    const { title, url } = { ...this.#surroundings.about(), ...this.#about };
    this.#say('hello', { title: title.slice(0, MAX_TITLE), url: url.slice(0, MAX_URL) });
  }

  /** However often the tools change, the page announces them at most ten times a second. */
  #announceSoon() {
    this.#announcing ??= setTimeout(() => this.#announce(), ANNOUNCE_WITHIN_MS);
  }

  #announceAgain(afterMs: number) {
    clearTimeout(this.#again);
    this.#again = setTimeout(() => this.#announce(), afterMs);
  }

  #announce() {
    clearTimeout(this.#announcing);
    this.#announcing = undefined;
    const tools = this.#tools.list();
    const text = JSON.stringify(tools);
    if (text === this.#announced) return;
    const quietMs = this.#droppedAt + QUIET_AFTER_DROPS_MS - performance.now();
    if (quietMs > 0) return this.#announceAgain(quietMs);
    if (!this.#say('tools', { tools })) return;
    this.#announced = text;
    this.#lists += 1;
    this.#sent.push({ list: this.#lists, tools });
    this.#tools.checkOnly(tools);
    // The hub acts on frames in the order in which they were sent.
    this.#say('ping', { list: this.#lists });
  }

  /** A list on its way may not have been acted on: the last one is sent again. */
  #doubt({ code, tool }: HubEvents['error']) {
    if (code === 'rate_limited') this.#droppedAt = performance.now();
    else if (code !== 'bad_message') return;
    if (this.#sent.length === 0) return;
    this.#sent = [];
    this.#announced = '';
    this.#announceAgain(tool === undefined ? ANNOUNCE_AGAIN_AFTER_MS : ANNOUNCE_WITHIN_MS);
  }

  #say(event: string, data: object): boolean {
    return this.#connection.send(JSON.stringify({ event, data }));
  }

  #tell<Type extends keyof HubEvents>(type: Type, detail: HubEvents[Type]) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }
}
