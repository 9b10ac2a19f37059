/** A tool as a page registers it with the browser. */
export interface RegisteredTool {
  readonly name: unknown;
  readonly title?: string;
  readonly description: string;
  readonly inputSchema?: object;
  readonly outputSchema?: object;
  readonly annotations?: Readonly<Record<string, boolean>>;
  execute(input: Record<string, unknown>, call: { readonly signal: AbortSignal }): unknown;
}

/** The window that a tool belongs to. */
interface Place {
  readonly origin: string;
}

interface Options {
  readonly signal?: AbortSignal;
}

export interface FakeModelContext extends EventTarget {
  /** How often `getTools` was called. */
  reads: number;
  registerTool(tool: RegisteredTool, options?: Options): Promise<void>;
  /** Registers a tool of a page in a frame. */
  registerAt(place: Place, tool: RegisteredTool, options?: Options): void;
  getTools(): Promise<readonly object[]>;
  executeTool(tool: unknown, input: unknown, options?: Options): Promise<unknown>;
}

/**
 * `document.modelContext` as Chrome has it to 159 (dictionaries with `window`, JSON text, hidden errors), or from 160
 * on (objects with private state that can be neither spread nor cloned nor written as JSON, `source`, null for what
 * is missing). It takes tools that Chrome would refuse, too. A page can be given the text of this function.
 */
export function fakeModelContext(version: 159 | 160, page: Place): FakeModelContext {
  interface Entry {
    readonly tool: RegisteredTool;
    readonly place: Place;
  }
  const entries = new Set<Entry>();

  class Tool {
    readonly #entry: Entry;
    constructor(entry: Entry) {
      this.#entry = entry;
      const get = () => this.toJSON();
      Object.defineProperty(this, 'whole', { enumerable: true, get });
    }
    static entryOf(tool: Tool) {
      return tool.#entry;
    }
    toJSON(): never {
      throw new TypeError('a Tool is read member by member');
    }
    get name() {
      return this.#entry.tool.name;
    }
    get title() {
      return this.#entry.tool.title ?? null;
    }
    get description() {
      return this.#entry.tool.description;
    }
    get inputSchema() {
      return this.#entry.tool.inputSchema ?? null;
    }
    get outputSchema() {
      return this.#entry.tool.outputSchema ?? null;
    }
    get annotations() {
      return this.#entry.tool.annotations ?? null;
    }
    get origin() {
      return this.#entry.place.origin;
    }
    get source() {
      return this.#entry.place;
    }
  }

  const textOf = (schema: object | undefined) => schema && JSON.stringify(schema);
  const dictionaryOf = ({ tool, place }: Entry) => ({
    name: tool.name,
    title: tool.title ?? '',
    description: tool.description,
    inputSchema: textOf(tool.inputSchema),
    outputSchema: textOf(tool.outputSchema),
    annotations: tool.annotations,
    origin: place.origin,
    window: place,
  });
  const entryOf = (tool: unknown) =>
    tool instanceof Tool
      ? Tool.entryOf(tool)
      : [...entries].find(
          (entry) => entry.tool.name === Object(tool).name && entry.place === Object(tool).window,
        );
  const hidden = () =>
    new DOMException(
      'Tool was executed but the invocation failed. For example, the script function threw an error',
      'UnknownError',
    );

  return new (class extends EventTarget implements FakeModelContext {
    reads = 0;

    async registerTool(tool: RegisteredTool, options?: Options) {
      this.registerAt(page, tool, options);
    }

    registerAt(place: Place, tool: RegisteredTool, { signal }: Options = {}) {
      const isTaken = [...entries].some(
        (entry) => entry.place === place && entry.tool.name === tool.name,
      );
      if (isTaken) throw new DOMException('there is one of this name', 'InvalidStateError');
      const entry = { tool, place };
      const tell = () => setTimeout(() => this.dispatchEvent(new Event('toolchange')));
      entries.add(entry);
      tell();
      signal?.addEventListener('abort', () => {
        entries.delete(entry);
        tell();
      });
    }

    async getTools() {
      this.reads += 1;
      return Array.from(entries, (entry) =>
        version === 159 ? dictionaryOf(entry) : new Tool(entry),
      );
    }

    async executeTool(
      of: unknown,
      given: unknown,
      { signal = new AbortController().signal }: Options = {},
    ): Promise<unknown> {
      const entry = entryOf(of);
      if (!entry || !entries.has(entry)) throw new DOMException('no such tool', 'UnknownError');
      if (version === 160 && typeof given !== 'object') throw new TypeError('input is an object');
      const text = version === 159 ? String(given) : JSON.stringify(given);
      const aborted = new Promise<never>((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error));
      });
      try {
        const input = JSON.parse(text) as Record<string, unknown>;
        const value = await Promise.race([entry.tool.execute(input, { signal }), aborted]);
        if (version === 160) return structuredClone(value);
        return typeof value === 'object' ? JSON.stringify(value) : String(value);
      } catch (error) {
        throw version === 160 || signal.aborted ? error : hidden();
      }
    }
  })();
}
