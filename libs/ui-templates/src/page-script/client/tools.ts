import type { HubEvents, PageTool, ToolCall, ToolOptions } from './client-api.js';

type ToolDescription = Omit<PageTool, 'execute'>;

const NAME = /^[A-Za-z0-9_.-]{1,128}$/;
const MAX_TITLE = 200;
const MAX_DESCRIPTION = 2000;
const MAX_SCHEMA_BYTES = 8 * 1024;
const MAX_TOOLS = 64;
const MAX_LIST_BYTES = 48 * 1024;
/** The longest function name that models accept; dots are not allowed either. */
const MODEL_NAME_LENGTH = 64;

/** A copy of the members that the hub may know. Throws the errors of {@link registerTool}, in WebMCP's order. */
export function describe(tool: PageTool<never>): ToolDescription {
  const { name, title, description, inputSchema, outputSchema, annotations, execute } = tool;
  if (typeof execute !== 'function') throw new TypeError('A tool needs a function "execute".');
  if (typeof name !== 'string' || !NAME.test(name)) {
    throw invalid('The name of a tool has 1 to 128 of ASCII letters, digits, "_", "-" and ".".');
  }
  if (typeof description !== 'string' || description === '') {
    throw invalid(`The tool ${name} needs a description.`);
  }
  if (description.length > MAX_DESCRIPTION) {
    throw tooMuch(`The description of ${name} has more than ${MAX_DESCRIPTION} characters.`);
  }
  if (title !== undefined && String(title).length > MAX_TITLE) {
    throw tooMuch(`The title of ${name} has more than ${MAX_TITLE} characters.`);
  }
  return {
    name,
    ...(title === undefined || title === '' ? {} : { title: String(title) }),
    description,
    ...plainSchema(name, 'inputSchema', inputSchema),
    ...plainSchema(name, 'outputSchema', outputSchema),
    ...(annotations === undefined ? {} : { annotations: plainHints(annotations) }),
  };
}

/** Throws when the page cannot offer this tool in addition to the others. */
function assertRoom(tool: ToolDescription, others: readonly ToolDescription[]): void {
  const same = others.find(({ name }) => modelName(name) === modelName(tool.name));
  if (same?.name === tool.name) throw invalid(`A tool ${tool.name} is registered already.`);
  if (same) throw invalid(`For a model the tool ${tool.name} has the same name as ${same.name}.`);
  if (others.length >= MAX_TOOLS) throw tooMuch(`A page offers at most ${MAX_TOOLS} tools.`);
  if (bytesOf(JSON.stringify([...others, tool])) > MAX_LIST_BYTES) {
    throw tooMuch(`All tools of a page take at most ${MAX_LIST_BYTES / 1024} KiB of JSON.`);
  }
}

const bytesOf = (text: string) => new TextEncoder().encode(text).length;

const modelName = (name: string) => name.replaceAll('.', '_').slice(0, MODEL_NAME_LENGTH);

/** A JSON copy, so that later changes of the page's object have no effect. */
function plainSchema(name: string, member: string, schema: object | undefined): object {
  if (schema === undefined) return {};
  const text = JSON.stringify(schema) as string | undefined;
  const plain = text === undefined ? undefined : (JSON.parse(text) as { type?: unknown } | null);
  if (plain?.type !== 'object' || Array.isArray(plain)) {
    throw new TypeError(`The ${member} of ${name} has to be a JSON Schema of type "object".`);
  }
  if (bytesOf(text ?? '') > MAX_SCHEMA_BYTES) {
    throw tooMuch(`The ${member} of ${name} takes more than ${MAX_SCHEMA_BYTES / 1024} KiB.`);
  }
  return { [member]: plain };
}

const plainHints = ({
  readOnlyHint,
  untrustedContentHint,
  consequentialHint,
}: NonNullable<PageTool['annotations']>) => ({
  readOnlyHint: readOnlyHint === true,
  untrustedContentHint: untrustedContentHint === true,
  // Only if true: tools that differ from what pages with an earlier version offer would get names of their own.
  ...(consequentialHint === true ? { consequentialHint } : {}),
});

const invalid = (message: string) => new DOMException(message, 'InvalidStateError');
const tooMuch = (message: string) => new DOMException(message, 'QuotaExceededError');

/**
 * What the browser tells of a registered tool: to Chrome 159 a dictionary, from 160 an object with getters that can
 * be neither spread nor cloned, with null for what is missing.
 */
export interface BrowserTool {
  readonly name: string;
  readonly title?: string | null;
  readonly description: string;
  /** JSON Schema, or its text; so is `outputSchema`. */
  readonly inputSchema?: object | string | null;
  readonly outputSchema?: object | string | null;
  readonly annotations?: PageTool['annotations'] | null;
  readonly origin: string;
  /** The window whose page registered it; `window` to Chrome 159. */
  readonly source?: unknown;
  readonly window?: unknown;
}

/** WebMCP's interface for pages: `document.modelContext`. */
export interface ModelContext {
  getTools?(): Promise<readonly BrowserTool[]>;
  executeTool?(
    tool: BrowserTool,
    input: object,
    options: { readonly signal: AbortSignal },
  ): Promise<unknown>;
  addEventListener?(type: 'toolchange', listener: () => void): void;
  registerTool(
    tool: ToolDescription & { execute(input: object, given?: CallOfBrowser): unknown },
    options: ToolOptions,
  ): unknown;
}

/** Chromium passes a signal that is aborted when its assistant stops waiting; the draft does not have it yet. */
interface CallOfBrowser {
  readonly signal?: AbortSignal;
}

export interface Offer {
  readonly description: ToolDescription;
  execute(input: object, call: ToolCall): unknown;
  /** Whether the browser, if it supports WebMCP, has accepted the tool. */
  isOffered: boolean;
  /** Where the page registered it with the browser alone: whether this page did, and not one in a frame. */
  readonly bridged?: 'page' | 'frame';
}

/** A call by the browser's own assistant, which cannot receive progress. */
const callOfBrowser = (given: CallOfBrowser = {}): ToolCall => ({
  app: null,
  signal: given.signal ?? new AbortController().signal,
  progress: () => undefined,
});

/**
 * The tools of the page: those of `registerTool`, each registered with both the hub and the browser or with neither,
 * and those that a ToolBridge found.
 */
export class ToolRegistry {
  readonly #offers = new Map<string, Offer>();
  #bridged: readonly Offer[] = [];
  /** What the hub gets, by name; undefined after a change. */
  #offered: ReadonlyMap<string, Offer> | undefined;
  /** What the hub refused on this connection, as JSON. */
  readonly #refused = new Set<string>();
  /** What the hub checks calls of on this connection, as JSON. */
  #checked: ReadonlySet<string> = new Set();
  readonly #warnings = new Set<string>();
  onChange: () => void = () => undefined;

  constructor(private readonly browser: () => ModelContext | undefined) {}

  /** See {@link registerTool}. The name is reserved synchronously, so that two calls cannot both get it. */
  async register<Input extends object>(
    tool: PageTool<Input>,
    options: ToolOptions = {},
  ): Promise<undefined> {
    const { signal } = options;
    signal?.throwIfAborted();
    const description = describe(tool);
    assertRoom(description, descriptionsOf(this.#offers.values()));
    const execute = tool.execute.bind(tool) as Offer['execute'];
    const offer: Offer = { description, execute, isOffered: false };
    this.#offers.set(description.name, offer);
    signal?.addEventListener('abort', () => this.#remove(offer), { once: true });
    try {
      await unlessAborted(this.#tellBrowser(offer, options), signal);
      signal?.throwIfAborted();
    } catch (error) {
      this.#remove(offer);
      throw error;
    }
    offer.isOffered = true;
    this.#changed();
  }

  /** Replaces what a bridge found, in the order of precedence. */
  bridge(found: readonly Offer[]): void {
    this.#bridged = found;
    this.#changed();
  }

  /** Tells the page's developer, once, of what is not offered. */
  warn(what: string, error: unknown): void {
    const { message } = Object(error) as Partial<Error>;
    const warning = `Connected apps are not offered the ${what}: ${message ?? error}`;
    if (this.#warnings.has(warning)) return;
    this.#warnings.add(warning);
    // oxlint-disable-next-line no-console -- for the developer of the page
    console.warn(warning);
  }

  /** The hub refused `list` because of one of its tools, or shows that one to no app. */
  refuse(error: HubEvents['error'], list = this.list()): void {
    const refused = list.find(({ name }) => name === error.tool);
    if (!refused) return;
    if (this.#all().get(refused.name)?.bridged) this.warn(`tool ${error.tool}`, error);
    if (error.code === 'unlisted') return;
    this.#refused.add(JSON.stringify(refused));
    this.#changed();
  }

  /** The hub knows nothing of this page: a connection has begun or ended. */
  forget(): void {
    this.#refused.clear();
    this.#offered = undefined;
    this.check([]);
  }

  /** The hub acts on this list from now on: it checks calls of these tools by these descriptions, and of no other. */
  check(list: readonly ToolDescription[]): void {
    this.#checked = new Set(list.map((description) => JSON.stringify(description)));
  }

  /** The hub may act on this list at any time, and on no earlier one again. */
  checkOnly(list: readonly ToolDescription[]): void {
    this.check(list.filter((description) => this.#checked.has(JSON.stringify(description))));
  }

  /**
   * The function that runs the tool of that name; undefined where the page does not offer it, or the hub does not check
   * its calls: an app can call any name, and would choose the arguments freely.
   */
  find(name: string): Offer['execute'] | undefined {
    const offer = this.#all().get(name);
    return offer && this.#checked.has(JSON.stringify(offer.description))
      ? offer.execute
      : undefined;
  }

  /** In the order of registration, then what is bridged. */
  list(): readonly ToolDescription[] {
    return descriptionsOf(this.#all().values());
  }

  #all(): ReadonlyMap<string, Offer> {
    if (this.#offered) return this.#offered;
    const all = new Map<string, Offer>();
    for (const offer of [...this.#offers.values(), ...this.#bridged]) {
      const { description, isOffered, bridged } = offer;
      const { name } = description;
      // The browser lists what is registered with both.
      const isBoth = bridged === 'page' && this.#offers.has(name);
      if (!isOffered || isBoth || this.#refused.has(JSON.stringify(description))) continue;
      try {
        assertRoom(description, descriptionsOf(all.values()));
        all.set(name, offer);
      } catch (error) {
        this.warn(`tool ${name}`, error);
      }
    }
    this.#offered = all;
    return all;
  }

  #changed() {
    this.#offered = undefined;
    this.onChange();
  }

  async #tellBrowser({ description, execute }: Offer, options: ToolOptions): Promise<void> {
    const run = (input: object, given?: CallOfBrowser) => execute(input, callOfBrowser(given));
    await this.browser()?.registerTool({ ...description, execute: run }, options);
  }

  #remove(offer: Offer) {
    const { name } = offer.description;
    if (this.#offers.get(name) !== offer) return;
    this.#offers.delete(name);
    // The browser may still list it for a moment; what it refused is the page's own.
    if (offer.isOffered)
      this.#bridged = this.#bridged.filter(({ description }) => description.name !== name);
    this.#changed();
  }
}

const descriptionsOf = (offers: Iterable<Offer>) =>
  Array.from(offers, ({ description }) => description);

/** Rejects with the signal's reason when it is aborted first. */
async function unlessAborted(done: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  if (!signal) return done;
  const aborted = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  return Promise.race([done, aborted]);
}

const EVERY_MS = 250;
const AT_ONCE = 5;

/** Sends the latest progress of each call, at a limited rate: the hub closes a tab that sends too much. */
function progressQueue(send: (progress: Progress) => void) {
  const latest = new Map<string, Progress>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = () => {
    const next = [...latest.values()].slice(0, AT_ONCE);
    for (const progress of next) {
      latest.delete(progress.id);
      send(progress);
    }
    timer = next.length > 0 ? setTimeout(flush, EVERY_MS) : undefined;
  };
  return {
    put(progress: Progress) {
      latest.set(progress.id, progress);
      if (timer === undefined) flush();
    },
    /** Drops the call's pending progress, because its result follows. */
    forget: (id: string) => latest.delete(id),
  };
}

const MAX_FRAME_BYTES = 65_536;
const MAX_MESSAGE = 200;

export interface ToolRequest {
  readonly id: string;
  readonly app: string;
  readonly method: string;
  readonly params: unknown;
}

interface Caller {
  send(text: string): void;
  onEnd(call: HubEvents['call']): void;
}

export class ToolCalls {
  readonly #running = new Map<string, AbortController>();
  readonly #progress = progressQueue((data) => this.caller.send(frame('progress', data)));

  constructor(
    private readonly tools: ToolRegistry,
    private readonly caller: Caller,
  ) {}

  /** Never rejects: an error of the tool is sent as the answer. */
  async run({ id, app, method, params }: ToolRequest): Promise<void> {
    const running = new AbortController();
    this.#running.set(id, running);
    const { signal } = running;
    const call: ToolCall = {
      app,
      signal,
      progress: (...said) => signal.aborted || this.#progress.put(progressOf(id, ...said)),
    };
    const asked = { app, tool: method, input: params ?? {} };
    try {
      const value = await this.#execute(method, asked.input, call);
      if (signal.aborted) return this.caller.onEnd({ ...asked, outcome: 'cancelled' });
      this.caller.send(resultFrame(id, value));
      this.caller.onEnd({ ...asked, outcome: 'done' });
    } catch (thrown) {
      if (signal.aborted) return this.caller.onEnd({ ...asked, outcome: 'cancelled' });
      const error = thrown instanceof Error ? thrown.message : String(thrown);
      this.caller.send(frame('result', { id, ok: false, error }));
      this.caller.onEnd({ ...asked, outcome: 'refused', error });
    } finally {
      this.#running.delete(id);
      this.#progress.forget(id);
    }
  }

  /** The app no longer waits for that call. */
  cancel(id: string) {
    const running = this.#running.get(id);
    this.#running.delete(id);
    running?.abort(new DOMException('The call was cancelled.', 'AbortError'));
  }

  /** Cancels all calls: a call cannot be answered once its connection has ended. */
  cancelAll() {
    for (const id of this.#running.keys()) this.cancel(id);
  }

  #execute(name: string, input: unknown, call: ToolCall): unknown {
    const execute = this.tools.find(name);
    if (!execute) throw new Error(`This page has no such tool. ${this.#named()}`);
    if (typeof input !== 'object' || input === null || Array.isArray(input)) {
      throw new Error('The arguments of a tool have to be an object.');
    }
    return execute(input, call);
  }

  #named() {
    const names = this.tools.list().flatMap(({ name }) => (this.tools.find(name) ? [name] : []));
    return names.length > 0 ? `It has: ${names.join(', ')}.` : 'It has none at the moment.';
  }
}

const frame = (event: string, data: object) => JSON.stringify({ event, data });

/** Throws for a value that is not JSON or is too large for a frame. */
function resultFrame(id: string, value: unknown): string {
  const text = frame('result', { id, ok: true, value: value ?? null });
  if (bytesOf(text) <= MAX_FRAME_BYTES) return text;
  throw new Error('The result is larger than 64 KiB: ask for less of it.');
}

type Progress = ReturnType<typeof progressOf>;

function progressOf(id: string, progress: number, total?: number, message?: string) {
  if (![progress, total ?? 0].every(Number.isFinite)) {
    throw new TypeError('Progress has to be a finite number.');
  }
  const text = message === undefined ? undefined : String(message).slice(0, MAX_MESSAGE);
  return { id, progress, total, message: text };
}
