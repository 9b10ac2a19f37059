import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Gatehouse } from '../support/gatehouse.js';
import type { ToolAnswer } from './connected-app.js';

/** The outcome of a call: its progress numbers, and its answer unless it failed. */
export interface Called {
  readonly heard: readonly number[];
  readonly answer?: ToolAnswer;
  readonly failure?: string;
}

/** A question to open an address (MCP 2026-07-28, elicitation in URL mode). */
interface Elicited {
  readonly mode: string;
  readonly url: string;
  readonly message: string;
}

const SCRIPT = fileURLToPath(new URL('./sdk-process.mjs', import.meta.url));

/** A third-party client in its own process: the SDK of version 1 or 2 (`2-url`: it opens addresses), or `ai-sdk`. */
export class ToolClient {
  private constructor(private readonly process: ChildProcess) {}

  /** Resolves when the client is ready. */
  static async start(
    sdk: string,
    { origin, port }: Pick<Gatehouse, 'origin' | 'port'>,
    token: string,
  ) {
    const url = new URL('/svc/mcp', origin);
    url.port = String(port);
    const client = fork(SCRIPT, [sdk, url.href, token], { execArgv: [], env: {} });
    await once(client, 'message');
    return new ToolClient(client);
  }

  /** Makes one call at a time. */
  call = (name: string, args: object, cancelAt?: number) =>
    this.ask<Called>({ call: { name, arguments: args }, cancelAt });

  /** Cancels the call in progress. */
  cancel = () => void this.process.send({ cancel: true });

  /** Makes a call of a client that opens addresses, and returns the question that it gets. */
  callAsked = async (name: string, args: object) => {
    const { elicited } = await this.ask<{ elicited: Elicited }>({
      call: { name, arguments: args },
    });
    return elicited;
  };

  /** Answers that question; the outcome is that of its call, or a further question. */
  answer = (action: string) => this.ask<Called>({ action });

  /** The result of a client method. */
  async ask<T>(message: object): Promise<T> {
    this.process.send(message);
    const [answer] = (await once(this.process, 'message')) as [T];
    return answer;
  }

  async stop() {
    const ended = once(this.process, 'close');
    this.process.kill('SIGKILL');
    await ended;
  }
}
