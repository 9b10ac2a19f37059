import { createHash, randomBytes } from 'node:crypto';
import type { Browser } from './browser.js';
import type { Service as Gatehouse } from './service.js';
import { type Answer, call } from './http.js';
import { answerOf, requestTo } from './request.js';

export interface TokenResponse {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly token_type: string;
  readonly expires_in: number;
  readonly scope: string;
  readonly resource: string;
}

type Params = Readonly<Record<string, string | undefined>>;

export const REDIRECT_URI = 'http://127.0.0.1:5555/cb';

/** An MCP client as the service sees it: registered, with PKCE, asking a user's browser for consent. */
export class OAuthClient {
  readonly verifier = randomBytes(32).toString('base64url');
  readonly state = randomBytes(8).toString('base64url');

  private constructor(
    private readonly gatehouse: Pick<Gatehouse, 'port' | 'origin'>,
    readonly id: string,
    readonly redirectUri: string,
    readonly secret?: string,
  ) {}

  static async register(
    gatehouse: Pick<Gatehouse, 'port' | 'origin'>,
    metadata: object = {},
  ): Promise<OAuthClient> {
    const body = {
      client_name: 'Test App',
      redirect_uris: [REDIRECT_URI],
      token_endpoint_auth_method: 'none',
      ...metadata,
    };
    const client = new OAuthClient(gatehouse, '', '');
    const answer = await client.post('/svc/oauth/register', JSON.stringify(body), {
      'content-type': 'application/json',
    });
    if (answer.status !== 201) throw new Error(`not registered: ${answer.text}`);
    const {
      client_id: id,
      client_secret: secret,
      redirect_uris: uris,
    } = answer.json<{
      client_id: string;
      client_secret?: string;
      redirect_uris: string[];
    }>();
    return new OAuthClient(gatehouse, id, uris[0] ?? '', secret);
  }

  /** A client that is identified by the URL of its metadata document. */
  static published(
    gatehouse: Pick<Gatehouse, 'port' | 'origin'>,
    url: string,
    redirectUri = REDIRECT_URI,
  ): OAuthClient {
    return new OAuthClient(gatehouse, url, redirectUri);
  }

  /** The same client, with requests to another replica under the first one's origin. */
  at({ port }: Pick<Gatehouse, 'port'>): OAuthClient {
    const moved = new OAuthClient(
      { port, origin: this.gatehouse.origin },
      this.id,
      this.redirectUri,
      this.secret,
    );
    return Object.assign(moved, { verifier: this.verifier, state: this.state });
  }

  authorizePath(params: Params = {}): string {
    const query = {
      client_id: this.id,
      redirect_uri: this.redirectUri,
      response_type: 'code',
      code_challenge: createHash('sha256').update(this.verifier).digest('base64url'),
      code_challenge_method: 'S256',
      state: this.state,
      ...params,
    };
    return `/svc/oauth/authorize?${new URLSearchParams(defined(query))}`;
  }

  /** Shows the consent form to a signed-in browser and returns the handle in it. */
  async showConsent(browser: Browser, params?: Params): Promise<string> {
    const page = await browser.get(this.authorizePath(params));
    const handle = /name="handle" value="([^"]+)"/.exec(page.text)?.[1];
    if (page.status !== 200 || !handle)
      throw new Error(`no consent form: ${page.status} ${page.text}`);
    return handle;
  }

  async answerConsent(browser: Browser, handle: string, scopes: string[], decision = 'approve') {
    const form = new URLSearchParams([
      ['handle', handle],
      ['decision', decision],
    ]);
    for (const scope of scopes) form.append('scope', scope);
    return browser.post('/svc/oauth/authorize', form.toString(), FORM);
  }

  /** Approves the consent and returns the code. */
  async authorize(browser: Browser, scopes = ['account:read'], params?: Params): Promise<string> {
    const handle = await this.showConsent(browser, params);
    const answer = await this.answerConsent(browser, handle, scopes);
    const code = new URL(answer.headers.location ?? 'about:blank').searchParams.get('code');
    if (answer.status !== 302 || !code) throw new Error(`no code: ${answer.status} ${answer.text}`);
    return code;
  }

  token(params: Params, headers: Record<string, string> = {}, path = '/svc/oauth/token') {
    const form = new URLSearchParams(
      defined({ client_id: this.id, client_secret: this.secret, ...params }),
    );
    return this.post(path, form.toString(), { ...FORM, ...headers });
  }

  exchange(code: string, params: Params = {}, headers: Record<string, string> = {}) {
    const exchange = {
      grant_type: 'authorization_code',
      code,
      code_verifier: this.verifier,
      redirect_uri: this.redirectUri,
    };
    return this.token({ ...exchange, ...params }, headers);
  }

  refresh(refreshToken: string, params: Params = {}) {
    return this.token({ grant_type: 'refresh_token', refresh_token: refreshToken, ...params });
  }

  revoke(token: string, params: Params = {}) {
    return this.token({ token, ...params }, {}, '/svc/oauth/revoke');
  }

  async connect(browser: Browser, scopes?: string[], params?: Params): Promise<TokenResponse> {
    const answer = await this.exchange(await this.authorize(browser, scopes, params));
    if (answer.status !== 200) throw new Error(`no tokens: ${answer.status} ${answer.text}`);
    return answer.json<TokenResponse>();
  }

  /** Lists the tools of the MCP endpoint with an access token: 200 when the token is valid. */
  mcp(accessToken: string, method = 'tools/list', params: object = {}): Promise<Answer> {
    return this.mcpText(accessToken, JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));
  }

  /** Posts a message that is already serialised; closes the connection and rejects when `signal` is aborted. */
  mcpText(accessToken: string, message: string, signal?: AbortSignal): Promise<Answer> {
    const headers = {
      host: new URL(this.gatehouse.origin).host,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      authorization: `Bearer ${accessToken}`,
    };
    const posted = { method: 'POST', path: '/svc/mcp', headers, body: message, signal };
    return call(this.gatehouse.port, posted);
  }

  /** By supertest. */
  async post(path: string, body: string, headers: Record<string, string>): Promise<Answer> {
    return answerOf(await requestTo(this.gatehouse).post(path).set(headers).send(body));
  }

  /** With full control over method, target and headers. */
  send(
    method: string,
    path: string,
    body?: string,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const { host } = new URL(this.gatehouse.origin);
    return call(this.gatehouse.port, { method, path, body, headers: { host, ...headers } });
  }
}

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

const defined = (params: Params) =>
  Object.fromEntries(
    Object.entries(params).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
