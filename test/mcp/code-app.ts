import { Browser } from '../support/browser.js';
import type { Gatehouse } from '../support/gatehouse.js';
import { OAuthClient } from '../support/oauth-client.js';

interface RunResult {
  readonly value: unknown;
  readonly logs: string[];
  readonly creditsUsed: number;
}

interface ToolAnswer {
  readonly result: {
    readonly isError?: boolean;
    readonly content: { readonly text: string }[];
    readonly structuredContent?: RunResult;
  };
}

/** An app that may run code for a user of its own. */
export class CodeApp {
  private constructor(
    private readonly client: OAuthClient,
    private readonly token: string,
    readonly browser: Browser,
  ) {}

  static async connect(gatehouse: Gatehouse): Promise<CodeApp> {
    const browser = new Browser(gatehouse);
    await browser.signUp();
    const client = await OAuthClient.register(gatehouse);
    const { access_token: token } = await client.connect(browser, ['code:run']);
    return new CodeApp(client, token, browser);
  }

  /** The same app and user on another replica. */
  at(replica: Gatehouse): CodeApp {
    return new CodeApp(this.client.at(replica), this.token, this.browser);
  }

  run(args: object) {
    return this.runWith(JSON.stringify(args));
  }

  /** `args` is the JSON text of the arguments, which may be more than this side can write. */
  async runWith(args: string): Promise<{ structured?: RunResult; refusal?: string }> {
    const params = `{"name":"run_code","arguments":${args}}`;
    const answer = await this.client.send(
      'POST',
      '/svc/mcp',
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`,
      {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        authorization: `Bearer ${this.token}`,
      },
    );
    if (answer.status !== 200) throw new Error(`no result: ${answer.status} ${answer.text}`);
    const { result } = answer.json<ToolAnswer>();
    return result.isError
      ? { refusal: result.content[0]?.text }
      : { structured: result.structuredContent };
  }

  /** Credits used today, as the user sees it. */
  async used(): Promise<number> {
    const { budget } = (await this.browser.me()) as { budget: { used: number } | null };
    return budget?.used ?? Number.NaN;
  }
}
