import type { BridgeOptions } from './client-api.js';
import {
  type BrowserTool,
  describe,
  type ModelContext,
  type Offer,
  type ToolRegistry,
} from './tools.js';

const UNTOLD = 'The tool failed, and the browser of the page does not say why.';
const CHANGED = 'The page has just changed this tool. List the tools again.';

/** Follows what the page registered with the browser alone: {@link bridgeTools}. */
export class ToolBridge {
  #filter: BridgeOptions['filter'];
  #followed: ModelContext | undefined;
  #reading: Promise<boolean> | undefined;
  #isStale = false;

  constructor(
    private readonly tools: ToolRegistry,
    private readonly browser: () => ModelContext | undefined,
    /** The window of the page. */
    private readonly page: { readonly origin: string },
  ) {}

  get isFollowing() {
    return this.#followed !== undefined;
  }

  /** Resolves when the tools of this moment are offered; to false where the browser does not tell them. */
  async follow({ filter }: BridgeOptions = {}): Promise<boolean> {
    const browser = this.browser();
    if (!browser?.getTools || !browser.executeTool) return false;
    this.#filter = filter;
    if (this.#followed !== browser) {
      this.#followed = browser;
      browser.addEventListener?.('toolchange', () => void this.#read(browser));
    }
    return this.#read(browser);
  }

  /** However many changes there are, one list is asked for at a time, and one after the last change. */
  #read(browser: ModelContext): Promise<boolean> {
    this.#isStale = true;
    return (this.#reading ??= this.#readAll(browser));
  }

  async #readAll(browser: ModelContext): Promise<boolean> {
    let found: readonly BrowserTool[] | undefined;
    while (this.#isStale) {
      this.#isStale = false;
      try {
        found = await browser.getTools?.();
      } catch (error) {
        found = undefined;
        this.tools.warn('tools of this page', error);
      }
      const offers = (found ?? []).flatMap((tool) => this.#offerOf(tool, browser) ?? []);
      const from = (place: Offer['bridged']) => offers.filter(({ bridged }) => bridged === place);
      this.tools.bridge([...from('page'), ...from('frame')]);
    }
    this.#reading = undefined;
    return found !== undefined;
  }

  /** Undefined for a tool of another origin, one that the page keeps back, and one that no hub takes. */
  #offerOf(tool: BrowserTool, browser: ModelContext): Offer | undefined {
    try {
      if (tool.origin !== this.page.origin) return undefined;
      const description = describeFound(tool);
      const execute: Offer['execute'] = async (input, { signal }) => {
        // The browser runs what has the name by then, and tells of a change only later.
        const tools = (await browser.getTools?.()) ?? [];
        const now = tools.find((other) => other.name === tool.name && isBeside(other, tool));
        if (!now || !isSame(describeFound(now), description)) throw new Error(CHANGED);
        signal.throwIfAborted();
        const result = await browser.executeTool?.(now, withText(input), { signal }).catch(rethrow);
        return typeof result === 'string' ? valueOf(result) : result;
      };
      const { name, annotations = {} } = description;
      if (this.#filter && !this.#filter(name, annotations)) return undefined;
      const bridged = (windowOf(tool) ?? this.page) === this.page ? 'page' : 'frame';
      return { description, execute, isOffered: true, bridged };
    } catch (error) {
      this.tools.warn(`tool ${tool.name}`, error);
      return undefined;
    }
  }
}

const windowOf = ({ source, window }: BrowserTool) => source ?? window;

const isBeside = (other: BrowserTool, tool: BrowserTool) =>
  other.origin === tool.origin && windowOf(other) === windowOf(tool);

const isSame = (one: object, other: object) => JSON.stringify(one) === JSON.stringify(other);

const describeFound = (tool: BrowserTool) =>
  describe({
    name: tool.name,
    title: tool.title ?? '',
    description: tool.description,
    ...schemaOf('inputSchema', tool),
    ...schemaOf('outputSchema', tool),
    ...(tool.annotations ? { annotations: tool.annotations } : {}),
    execute: () => undefined,
  });

function schemaOf(member: 'inputSchema' | 'outputSchema', tool: BrowserTool) {
  const schema = tool[member] || undefined;
  if (schema === undefined) return {};
  return { [member]: typeof schema === 'string' ? (JSON.parse(schema) as object) : schema };
}

/** Some browsers take an object and others its JSON, which they get where they read it as text. */
function withText(input: object): object {
  const copy: object = { ...input };
  const toString = { value: () => JSON.stringify(input) };
  Object.defineProperty(copy, Symbol.toPrimitive, toString);
  if (!Object.hasOwn(input, 'toString')) Object.defineProperty(copy, 'toString', toString);
  return copy;
}

function valueOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Chromium hides what the tool threw; the polyfill puts it behind the same sentence. */
function rethrow(error: unknown): never {
  const { name, message = '' } = Object(error) as Partial<Error>;
  if (name !== 'UnknownError') throw error;
  throw new Error(/threw an error: (.+)/s.exec(message)?.[1] ?? UNTOLD);
}
