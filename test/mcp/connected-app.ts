import { Browser } from '../support/browser.js';
import { changeConnection } from '../support/connection.js';
import type { Gatehouse } from '../support/gatehouse.js';
import { OAuthClient } from '../support/oauth-client.js';

/** The answer of a tool. */
export interface ToolAnswer {
  readonly isError?: boolean;
  readonly structuredContent?: Record<string, unknown>;
  readonly content: readonly { readonly text: string }[];
}

const EVERYTHING = ['account:read', 'tabs:read', 'tabs:write', 'code:run'];

/** A user's app with an access token, and the browser in which the user approved it. */
export class ConnectedApp {
  private constructor(
    readonly browser: Browser,
    private readonly client: OAuthClient,
    readonly token: string,
  ) {}

  /** Connects an app of a new user. */
  static async connect(
    gatehouse: Pick<Gatehouse, 'port' | 'origin'>,
    scopes: string[] = EVERYTHING,
  ): Promise<ConnectedApp> {
    const browser = new Browser(gatehouse);
    const { status, text } = await browser.signUp();
    if (status !== 200) throw new Error(`not signed up: ${status} ${text}`);
    const client = await OAuthClient.register(gatehouse);
    const { access_token: token } = await client.connect(browser, scopes);
    return new ConnectedApp(browser, client, token);
  }

  /** The same app and browser, with requests to another replica under the first one's origin. */
  at = (gatehouse: Pick<Gatehouse, 'port'>) =>
    new ConnectedApp(this.browser.at(gatehouse), this.client.at(gatehouse), this.token);

  /** Changes its connection, the newest of its user, as that user does. */
  change = (change: object) => changeConnection(this.browser, change);

  sendText = (message: string, signal?: AbortSignal) =>
    this.client.mcpText(this.token, message, signal);

  send = (method: string, params?: object) => this.client.mcp(this.token, method, params);

  async call(name: string, args: object = {}): Promise<ToolAnswer> {
    const answer = await this.send('tools/call', { name, arguments: args });
    const { result } = answer.json<{ result?: ToolAnswer }>();
    if (!result) throw new Error(`no result: ${answer.status} ${answer.text}`);
    return result;
  }

  /** The structured result of a call that must succeed. */
  async have(name: string, args?: object) {
    const { isError, structuredContent, content } = await this.call(name, args);
    if (isError) throw new Error(content[0]?.text);
    return structuredContent;
  }

  /** The message of a call that must be refused. */
  async refusal(name: string, args?: object): Promise<string> {
    const { isError, content } = await this.call(name, args);
    if (!isError) throw new Error(`not refused: ${JSON.stringify(content)}`);
    return content.map(({ text }) => text).join();
  }

  /** Today's credits, as the user's own page shows them. */
  async used(): Promise<number | undefined> {
    return (await this.browser.me()).budget?.used;
  }
}
