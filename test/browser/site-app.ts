import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { BrowserContext } from 'playwright-core';
import { type CallbackSite, startCallbackSite } from '../support/callback-site.js';

interface ToolResult {
  readonly isError?: boolean;
  readonly structuredContent?: unknown;
  readonly content: readonly { readonly text?: string }[];
}

interface Said {
  readonly visit?: string;
  readonly result?: ToolResult;
  readonly token?: string;
  readonly failure?: string;
}

const SCRIPT = fileURLToPath(new URL('site-app-process.mjs', import.meta.url));

/** An external MCP client, whose user is the one signed in to a browser. */
export class SiteApp {
  /** How often the user was asked for consent. */
  visits = 0;
  /** The latest access token. */
  token = '';
  private readonly ended: Promise<unknown>;
  private stderr = '';

  private constructor(
    private readonly child: ChildProcess,
    private readonly site: CallbackSite,
    private readonly context: BrowserContext,
  ) {
    this.child.stdout?.resume();
    this.child.stderr?.on('data', (chunk: Buffer) => (this.stderr += chunk.toString()));
    this.ended = once(this.child, 'close');
  }

  static async start(origin: string, name: string, context: BrowserContext) {
    const site = await startCallbackSite('http://127.0.0.1');
    const metadata = {
      client_name: name,
      redirect_uris: [site.redirectUri],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    };
    const known = JSON.stringify({ mcpUrl: `${origin}/svc/mcp`, metadata });
    const child = fork(SCRIPT, [known], { execArgv: [], env: {}, silent: true });
    return new SiteApp(child, site, context);
  }

  async call(name: string, args: object = {}): Promise<ToolResult> {
    this.child.send({ name, arguments: args });
    for (;;) {
      const { visit, result, token = '', failure } = await this.said();
      this.token = token;
      if (result) return result;
      if (visit === undefined) throw new Error(failure);
      this.child.send({ callback: await this.approve(visit) });
    }
  }

  async stop() {
    this.child.kill('SIGKILL');
    await this.ended;
    await this.site.stop();
  }

  /** Allows all scopes, those that were not requested too, in a tab that is then closed. */
  private async approve(visit: string): Promise<string> {
    this.visits += 1;
    const page = await this.context.newPage();
    await page.goto(visit);
    for (const scope of await page.locator('input[name=scope]').all()) await scope.check();
    await page.getByRole('button', { name: 'Allow', exact: true }).click();
    await page.waitForURL(`${this.site.redirectUri}**`);
    const callback = page.url();
    await page.close();
    return callback;
  }

  private async said(): Promise<Said> {
    const message = once(this.child, 'message');
    const said = (await Promise.race([message, this.ended])) as [unknown];
    if (this.child.connected) return said[0] as Said;
    throw new Error(`ended: ${this.stderr}`);
  }
}
