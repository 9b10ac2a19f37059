import type { PageTool, ToolCall, ToolOptions } from '../client-api.js';
import { assertRoom, describe, type ToolDescription } from './tool-rules.js';

/** WebMCP's interface for pages: `document.modelContext`. */
export interface ModelContext {
  registerTool(
    tool: ToolDescription & { execute(input: object, given?: CallOfBrowser): unknown },
    options: ToolOptions,
  ): unknown;
}

/** Chromium passes a signal that is aborted when its assistant stops waiting; the draft does not have it yet. */
interface CallOfBrowser {
  readonly signal?: AbortSignal;
}

interface Offer {
  readonly description: ToolDescription;
  execute(input: object, call: ToolCall): unknown;
  /** Whether the browser, if it supports WebMCP, has accepted the tool. */
  isOffered: boolean;
}

/** A call by the browser's own assistant, which cannot receive progress. */
const callOfBrowser = (given: CallOfBrowser = {}): ToolCall => ({
  app: null,
  signal: given.signal ?? new AbortController().signal,
  progress: () => undefined,
});

/** The tools of the page; each is registered with both the hub and the browser, or with neither. */
export class PageTools {
  readonly #offers = new Map<string, Offer>();
  readonly #browser: () => ModelContext | undefined;
  onChange: () => void = () => undefined;

  constructor(browser: () => ModelContext | undefined) {
    this.#browser = browser;
  }

  /** See {@link registerTool}. The name is reserved synchronously, so that two calls cannot both get it. */
  async register<Input extends object>(
    tool: PageTool<Input>,
    options: ToolOptions = {},
  ): Promise<undefined> {
    const { signal } = options;
    signal?.throwIfAborted();
    const description = describe(tool);
    assertRoom(description, this.#descriptions());
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
    this.onChange();
  }

  /** The function that runs the tool of that name; undefined where the page does not offer it. */
  find(name: string): Offer['execute'] | undefined {
    const offer = this.#offers.get(name);
    return offer?.isOffered ? offer.execute : undefined;
  }

  /** In the order of registration. */
  list(): readonly ToolDescription[] {
    return this.#descriptions(({ isOffered }) => isOffered);
  }

  #descriptions(fits: (offer: Offer) => boolean = () => true) {
    return [...this.#offers.values()].filter(fits).map(({ description }) => description);
  }

  async #tellBrowser({ description, execute }: Offer, options: ToolOptions): Promise<void> {
    const run = (input: object, given?: CallOfBrowser) => execute(input, callOfBrowser(given));
    await this.#browser()?.registerTool({ ...description, execute: run }, options);
  }

  #remove(offer: Offer) {
    const { name } = offer.description;
    if (this.#offers.get(name) !== offer) return;
    this.#offers.delete(name);
    if (offer.isOffered) this.onChange();
  }
}

/** Rejects with the signal's reason when it is aborted first. */
async function unlessAborted(done: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  if (!signal) return done;
  const aborted = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  return Promise.race([done, aborted]);
}
