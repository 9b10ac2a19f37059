import type { Hub, HubEvents, HubState, Tab } from '../client-api.js';
import type { PageTools } from '../tools/page-tools.js';
import { ToolCalls, type ToolRequest } from '../tools/tool-calls.js';
import { AwaitedAcks } from './awaited-acks.js';
import { HubConnection, type HubLine } from './hub-connection.js';

const ANNOUNCE_WITHIN_MS = 100;
const MAX_TITLE = 200;
const MAX_URL = 2048;

/** The page's address and title, and its connection to the hub. */
export interface HubSurroundings extends Pick<HubLine, 'openSocket' | 'isSignedIn'> {
  about(): { readonly title: string; readonly url: string };
}

type Frames = {
  welcome: { readonly tabId: string; readonly tabs: readonly Tab[] };
  ack: { readonly id: string; readonly delivered: number };
  request: ToolRequest;
  cancel: { readonly id: string };
  tabs: { readonly tabs: readonly Tab[] };
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
  readonly #tools: PageTools;
  readonly #surroundings: HubSurroundings;
  readonly #connection: HubConnection;
  readonly #calls: ToolCalls;
  readonly #acks = new AwaitedAcks();
  #about: { readonly title?: string; readonly url?: string } = {};
  #announcing: ReturnType<typeof setTimeout> | undefined;
  #announced = '';

  constructor(tools: PageTools, surroundings: HubSurroundings) {
    super();
    this.#tools = tools;
    this.#surroundings = surroundings;
    this.#connection = new HubConnection({
      openSocket: () => surroundings.openSocket(),
      isSignedIn: () => surroundings.isSignedIn(),
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

  hurry() {
    this.#connection.hurry();
  }

  describe(about: { readonly title?: string; readonly url?: string }) {
    this.#about = { ...this.#about, ...about };
    this.#introduce();
  }

  async send(body: unknown, to = '*'): Promise<number> {
    const id = crypto.randomUUID();
    const acknowledged = this.#acks.expect(id);
    if (!this.#say('send', { to, body, id })) {
      this.#acks.giveUp('there is no connection to the hub');
    }
    return acknowledged;
  }

  readonly #on: { [Event in keyof Frames]: (data: Frames[Event]) => void } = {
    welcome: ({ tabId, tabs }) => {
      this.tabId = tabId;
      this.#introduce();
      this.#announced = '[]';
      this.#announce();
      this.#list(tabs);
      this.#tell('state', 'open');
    },
    tabs: ({ tabs }) => this.#list(tabs),
    ack: ({ id, delivered }) => this.#acks.acknowledge(id, delivered),
    request: (request) => void this.#calls.run(request),
    cancel: ({ id }) => this.#calls.cancel(id),
    message: (message) => this.#tell('message', message),
    account: (news) => this.#tell('account', news),
    error: (error) => {
      // The answer crossed a timeout or cancellation, which `cancel` reports: this is not an error.
      if (error.id !== undefined) return;
      if (this.#acks.size > 0) this.#acks.giveUp(error.message);
      else this.#tell('error', error);
    },
  };

  /** Ignores unknown events: a newer hub may send more than this version knows. */
  #hear(event: string, data: unknown) {
    if (Object.hasOwn(this.#on, event)) this.#on[event as keyof Frames](data as never);
  }

  /** The `open` state is dispatched with the welcome, when the list of tabs is known. */
  #changed(state: HubState) {
    if (state === 'open') return;
    this.tabId = undefined;
    this.#list([]);
    this.#calls.cancelAll();
    this.#acks.giveUp('the connection to the hub is lost');
    this.#tell('state', state);
  }

  #list(tabs: readonly Tab[]) {
    if (tabs.length === 0 && this.tabs.length === 0) return;
    this.tabs = tabs;
    this.#tell('tabs', tabs);
  }

  #introduce() {
    const { title, url } = { ...this.#surroundings.about(), ...this.#about };
    this.#say('hello', { title: title.slice(0, MAX_TITLE), url: url.slice(0, MAX_URL) });
  }

  /** However often the tools change, the page announces them at most ten times a second. */
  #announceSoon() {
    this.#announcing ??= setTimeout(() => this.#announce(), ANNOUNCE_WITHIN_MS);
  }

  #announce() {
    clearTimeout(this.#announcing);
    this.#announcing = undefined;
    const tools = this.#tools.list();
    const text = JSON.stringify(tools);
    if (text === this.#announced || !this.#say('tools', { tools })) return;
    this.#announced = text;
  }

  #say(event: string, data: object): boolean {
    return this.#connection.send(JSON.stringify({ event, data }));
  }

  #tell<Type extends keyof HubEvents>(type: Type, detail: HubEvents[Type]) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }
}
