import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import type { Response } from 'supertest';
import type TestAgent from 'supertest/lib/agent.js';
import type { Service as Gatehouse } from './service.js';
import { type Answer, type Call, call } from './http.js';
import { answerOf, requestTo } from './request.js';
import {
  type CreateRequest,
  type GetRequest,
  SoftAuthenticator,
} from './soft-authenticator/index.js';

type Headers = Record<string, string>;

/** The passkey of a new account, and the code of an invite where the service requires one. */
export interface SignUpRequest extends CreateRequest {
  readonly invite?: string;
}

/** A browser as the service sees it: cookies, an authenticator and the requests of an account. */
export class Browser {
  /** What it sends as `Cookie`; undefined without cookies. */
  cookie: string | undefined;

  constructor(
    private readonly gatehouse: Pick<Gatehouse, 'port' | 'origin'>,
    readonly authenticator = SoftAuthenticator.synced(),
  ) {}

  /** The same browser, with requests to another replica. */
  at(gatehouse: Pick<Gatehouse, 'port'>): Browser {
    const moved = new Browser(
      { port: gatehouse.port, origin: this.gatehouse.origin },
      this.authenticator,
    );
    moved.cookie = this.cookie;
    return moved;
  }

  /** supertest with the current cookies; those of an answer are not kept. */
  get agent(): TestAgent {
    const agent = requestTo(this.gatehouse);
    return this.cookie === undefined ? agent : agent.set('cookie', this.cookie);
  }

  /** With full control over target and headers, for what supertest would normalise. */
  async send(
    method: string,
    path: string,
    body?: unknown,
    headers: Call['headers'] = {},
  ): Promise<Answer> {
    const answer = await call(this.gatehouse.port, {
      method,
      path,
      headers: {
        host: new URL(this.gatehouse.origin).host,
        ...(this.cookie === undefined ? {} : { cookie: this.cookie }),
        ...headers,
      },
      body: body === undefined || typeof body === 'string' ? body : JSON.stringify(body),
    });
    this.keepCookies(answer);
    return answer;
  }

  /** By supertest, like `post`; the cookies of the answer are kept. */
  async get(path: string, headers: Headers = {}): Promise<Answer> {
    return this.received(await this.agent.get(path).set(headers));
  }

  /** An object is sent as JSON, a string as it is. */
  async post(path: string, body: string | object = '', headers: Headers = {}): Promise<Answer> {
    return this.received(await this.agent.post(path).set(headers).send(body));
  }

  me = async () => (await this.get('/svc/auth/me')).json<AccountStatus>();

  async creationOptions(fields: object = { displayName: 'Ann' }) {
    const answer = await this.post('/svc/auth/register/options', fields);
    return answer.json<PublicKeyCredentialCreationOptionsJSON>();
  }

  async requestOptions() {
    const answer = await this.post('/svc/auth/login/options', {});
    return answer.json<PublicKeyCredentialRequestOptionsJSON>();
  }

  async attest(request?: CreateRequest, fields?: object): Promise<RegistrationResponseJSON> {
    return this.authenticator.create(
      await this.creationOptions(fields),
      this.gatehouse.origin,
      request,
    );
  }

  async assert(request?: GetRequest): Promise<AuthenticationResponseJSON> {
    return this.authenticator.get(await this.requestOptions(), this.gatehouse.origin, request);
  }

  /** Creates an account and signs in to it: `signUp('Ann', { invite: code })` where `SIGN_UP=invite`. */
  async signUp(displayName = 'Ann', { invite, ...request }: SignUpRequest = {}) {
    const fields = { displayName, ...(invite === undefined ? {} : { invite }) };
    return this.post('/svc/auth/register/verify', await this.attest(request, fields));
  }

  async signIn(request?: GetRequest) {
    return this.post('/svc/auth/login/verify', await this.assert(request));
  }

  async addPasskey(request?: CreateRequest) {
    return this.post('/svc/auth/register/verify', await this.attest(request, {}));
  }

  private received(response: Response): Answer {
    const answer = answerOf(response);
    this.keepCookies(answer);
    return answer;
  }

  private keepCookies({ headers }: Pick<Answer, 'headers'>) {
    for (const line of headers['set-cookie'] ?? []) {
      const [pair = ''] = line.split(';');
      const name = pair.slice(0, pair.indexOf('=') + 1);
      const others = this.cookie?.split('; ').filter((other) => !other.startsWith(name)) ?? [];
      const kept = pair === name ? others : [...others, pair];
      this.cookie = kept.length === 0 ? undefined : kept.join('; ');
    }
  }
}

export interface AccountStatus {
  readonly user: { readonly id: string; readonly displayName: string } | null;
  readonly budget: {
    readonly used: number;
    readonly limit: number;
    readonly resetsAt: string;
  } | null;
}
