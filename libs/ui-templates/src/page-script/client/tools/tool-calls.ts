import type { HubEvents, ToolCall } from '../client-api.js';
import type { PageTools } from './page-tools.js';
import { type Progress, ProgressQueue } from './progress-queue.js';
import { bytesOf } from './tool-rules.js';

const MAX_FRAME_BYTES = 65_536;
const MAX_MESSAGE = 200;

export interface ToolRequest {
  readonly id: string;
  readonly app: string;
  readonly method: string;
  readonly params: unknown;
}

interface Caller {
  /** Returns whether a connection was open to send it on. */
  send(text: string): boolean;
  onEnd(call: HubEvents['call']): void;
}

/** The calls of apps that are running in this page. */
export class ToolCalls {
  readonly #running = new Map<string, AbortController>();
  readonly #tools: PageTools;
  readonly #caller: Caller;
  readonly #progress: ProgressQueue;

  constructor(tools: PageTools, caller: Caller) {
    this.#tools = tools;
    this.#caller = caller;
    this.#progress = new ProgressQueue((data) => caller.send(frame('progress', data)));
  }

  /** Never rejects: an error of the tool is sent as the answer. */
  async run({ id, app, method, params }: ToolRequest): Promise<void> {
    const running = new AbortController();
    this.#running.set(id, running);
    const { signal } = running;
    const call: ToolCall = {
      app,
      signal,
      progress: (...said) => signal.aborted || this.#put(progressOf(id, ...said)),
    };
    const asked = { app, tool: method, input: params ?? {} };
    try {
      const value = await this.#execute(method, asked.input, call);
      if (signal.aborted) return this.#end({ ...asked, outcome: 'cancelled' });
      this.#answer(resultFrame(id, value));
      this.#end({ ...asked, outcome: 'done' });
    } catch (thrown) {
      if (signal.aborted) return this.#end({ ...asked, outcome: 'cancelled' });
      const error = thrown instanceof Error ? thrown.message : String(thrown);
      this.#answer(frame('result', { id, ok: false, error }));
      this.#end({ ...asked, outcome: 'refused', error });
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
    const execute = this.#tools.find(name);
    if (!execute) throw new Error(`This page has no such tool. ${this.#named()}`);
    if (typeof input !== 'object' || input === null || Array.isArray(input)) {
      throw new Error('The arguments of a tool have to be an object.');
    }
    return execute(input, call);
  }

  #named() {
    const names = this.#tools.list().map(({ name }) => name);
    return names.length > 0 ? `It has: ${names.join(', ')}.` : 'It has none at the moment.';
  }

  #put(progress: Progress) {
    this.#progress.put(progress);
  }

  #answer(text: string) {
    this.#caller.send(text);
  }

  #end(call: HubEvents['call']) {
    this.#caller.onEnd(call);
  }
}

const frame = (event: string, data: object) => JSON.stringify({ event, data });

/** Throws for a value that is not JSON or is too large for a frame. */
function resultFrame(id: string, value: unknown): string {
  const text = frame('result', { id, ok: true, value: value ?? null });
  if (bytesOf(text) <= MAX_FRAME_BYTES) return text;
  throw new Error('The result is larger than 64 KiB: ask for less of it.');
}

function progressOf(id: string, progress: number, total?: number, message?: string): Progress {
  if (![progress, total ?? 0].every(Number.isFinite)) {
    throw new TypeError('Progress has to be a finite number.');
  }
  return {
    id,
    progress,
    ...(total === undefined ? {} : { total }),
    ...(message === undefined ? {} : { message: String(message).slice(0, MAX_MESSAGE) }),
  };
}
