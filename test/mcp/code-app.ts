import type { Browser } from '../support/browser.js';
import type { Gatehouse } from '../support/gatehouse.js';
import { ConnectedApp, type ToolAnswer } from './connected-app.js';

interface RunResult {
  readonly value: unknown;
  readonly logs: string[];
  readonly creditsUsed: number;
}

interface RunAnswer {
  readonly structured?: RunResult;
  readonly refusal?: string | undefined;
  /** The texts of its content blocks. */
  readonly texts: readonly string[];
}

const RUN_ID = 1;

/** An app that may run code for its own user. */
export class CodeApp {
  readonly browser: Browser;

  private constructor(private readonly app: ConnectedApp) {
    this.browser = app.browser;
  }

  static async connect(gatehouse: Gatehouse): Promise<CodeApp> {
    return new CodeApp(await ConnectedApp.connect(gatehouse, ['code:run']));
  }

  /** The same app and user on another replica. */
  at(replica: Gatehouse): CodeApp {
    return new CodeApp(this.app.at(replica));
  }

  /** Closes the connection and rejects when `signal` is aborted. */
  run(args: object, signal?: AbortSignal) {
    return this.runWith(JSON.stringify(args), signal);
  }

  /** Sends a cancellation notification, like a client that keeps its connection open. */
  cancelByNotice() {
    const notice = { method: 'notifications/cancelled', params: { requestId: RUN_ID } };
    return this.app.sendText(JSON.stringify({ jsonrpc: '2.0', ...notice }));
  }

  /** `args` is the arguments' JSON text, which may be larger than this process could serialise. */
  async runWith(args: string, signal?: AbortSignal): Promise<RunAnswer> {
    const params = `{"name":"run_code","arguments":${args}}`;
    const answer = await this.app.sendText(
      `{"jsonrpc":"2.0","id":${RUN_ID},"method":"tools/call","params":${params}}`,
      signal,
    );
    if (answer.status !== 200) throw new Error(`no result: ${answer.status} ${answer.text}`);
    const { result } = answer.json<{ result: ToolAnswer }>();
    const texts = result.content.map(({ text }) => text);
    return result.isError
      ? { texts, refusal: texts[0] }
      : { texts, structured: result.structuredContent as unknown as RunResult };
  }

  /** Credits used today, as the user sees them. */
  async used(): Promise<number> {
    return (await this.app.used()) ?? Number.NaN;
  }
}
