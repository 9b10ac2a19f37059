import { type ChildProcess, fork } from 'node:child_process';
import { on, once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { AccountStatus } from '../support/browser.js';
import type { Approver } from './approver.js';

/** The configuration of an external client. */
export interface Known {
  readonly mcpUrl: string;
  /** Its registration, or the content of its document. */
  readonly metadata: { readonly redirect_uris: readonly string[] };
  /** The URL of its document, if it has one. */
  readonly documentUrl?: string | undefined;
}

/** What an external client found behind the MCP URL, and the credentials that it used. */
export interface Used {
  readonly protocol: string;
  readonly tools: readonly string[];
  readonly account: AccountStatus;
  readonly clientId: string;
  readonly tokens: { readonly access_token: string; readonly refresh_token: string };
}

/** The answer of a tool. */
export interface Called {
  readonly isError?: boolean;
  readonly structuredContent?: Record<string, unknown>;
  readonly content: readonly { readonly type: string; readonly text?: string }[];
}

interface Message {
  readonly visit?: string;
  readonly result?: unknown;
  readonly failure?: string;
}

/** One of `drivers/` in its own process; its user is an Approver in this one. */
export class OutsideClient {
  /** Authorization URLs that its user was sent to. */
  readonly visits: URL[] = [];
  private readonly child: ChildProcess;
  private readonly ended: Promise<unknown>;
  /** Its messages, buffered until they are read. */
  private readonly messages: AsyncIterator<[Message]>;
  private stderr = '';

  constructor(
    driver: string,
    known: Known,
    private readonly approver: Approver,
  ) {
    const script = fileURLToPath(new URL(`./drivers/${driver}.mjs`, import.meta.url));
    this.child = fork(script, [JSON.stringify(known)], { execArgv: [], env: {}, silent: true });
    this.child.stdout?.resume();
    this.child.stderr?.on('data', (chunk: Buffer) => (this.stderr += chunk.toString()));
    this.messages = on(this.child, 'message', { close: ['close'] }) as AsyncIterator<[Message]>;
    this.ended = once(this.child, 'close');
  }

  /** Makes it list the tools and call `account_status`, with every step that this requires. */
  async use(): Promise<Used> {
    return (await this.have({ do: 'use' })) as Used;
  }

  /** Makes it call a tool; rejects when the call failed, not when the tool reported an error. */
  async call(name: string, args: object = {}): Promise<Called> {
    return (await this.have({ do: 'call', name, args })) as Called;
  }

  /** Makes it discard its tokens. */
  async forgetTokens() {
    await this.have({ do: 'forgetTokens' });
  }

  async stop() {
    this.child.kill('SIGKILL');
    await this.ended;
  }

  private async have(job: object) {
    this.child.send(job);
    for (;;) {
      const { visit, result, failure } = await this.said();
      if (result !== undefined) return result;
      if (visit === undefined) throw new Error(failure);
      this.visits.push(new URL(visit));
      this.child.send({ callback: await this.approver.visit(visit) });
    }
  }

  private async said(): Promise<Message> {
    const { value, done } = await this.messages.next();
    if (done) throw new Error(`ended: ${this.stderr}`);
    return value[0];
  }
}
