import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Gatehouse } from '../support/gatehouse.js';
import type { ToolAnswer } from './connected-app.js';

/** What came of a call: the numbers of its progress, and its answer unless it failed. */
export interface Called {
  readonly heard: readonly number[];
  readonly answer?: ToolAnswer;
  readonly failure?: string;
}

const SCRIPT = fileURLToPath(new URL('./sdk-process.mjs', import.meta.url));

/** A client that others wrote, in a process of its own: the SDK of version 1 or 2, or `ai-sdk`. */
export class ToolClient {
  private constructor(private readonly process: ChildProcess) {}

  /** Ready to be asked. */
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

  /** One call at a time. */
  call = (name: string, args: object, cancelAt?: number) =>
    this.ask<Called>({ call: { name, arguments: args }, cancelAt });

  /** Gives up the call that is under way. */
  cancel = () => void this.process.send({ cancel: true });

  /** What a method of the client brings. */
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
