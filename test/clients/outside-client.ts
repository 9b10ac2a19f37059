import { type ChildProcess, fork } from 'node:child_process';
import { on, once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { AccountStatus } from '../support/browser.js';
import type { Approver } from './approver.js';

/** What an outside client is told in advance. */
export interface Known {
  readonly mcpUrl: string;
  /** All that it would register, and what its document says. */
  readonly metadata: { readonly redirect_uris: readonly string[] };
  /** Where its document is, if it has one. */
  readonly documentUrl?: string | undefined;
}

/** What an outside client found behind the MCP URL, and with which credentials. */
export interface Used {
  readonly protocol: string;
  readonly tools: readonly string[];
  readonly account: AccountStatus;
  readonly clientId: string;
  readonly tokens: { readonly access_token: string; readonly refresh_token: string };
}

/** What a tool answered. */
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

/** One of `drivers/` in a process of its own, whose user is an Approver here. */
export class OutsideClient {
  /** Authorization URLs that its user was sent to. */
  readonly visits: URL[] = [];
  private readonly child: ChildProcess;
  private readonly ended: Promise<unknown>;
  /** What it says, kept until it is asked for. */
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

  /** Has it list the tools and call `account_status`, with all that this takes. */
  async use(): Promise<Used> {
    return (await this.have({ do: 'use' })) as Used;
  }

  /** Has it call a tool; rejects when the call failed, not when the tool did. */
  async call(name: string, args: object = {}): Promise<Called> {
    return (await this.have({ do: 'call', name, args })) as Called;
  }

  /** Has it throw its tokens away. */
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
