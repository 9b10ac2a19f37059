// People with a session at the service, and the app that they connect: by the requests that they would send.
import { createHash, randomBytes } from 'node:crypto';
import { Passkey } from './passkey.mjs';

const REDIRECT_URI = 'http://127.0.0.1:5555/cb';
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const VERIFIER = randomBytes(32).toString('base64url');
/** For a driver that makes a code, which `exchange` exchanges. */
export const VERIFIER_CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url');

const post = (path, body, headers = {}) => ({
  method: 'POST',
  path,
  headers,
  body: typeof body === 'string' ? body : JSON.stringify(body),
});

export class Person {
  #server;

  constructor(server) {
    this.#server = server;
    this.passkey = new Passkey(server.origin);
  }

  /** A number of people with an account and a session each. */
  static signUp(server, count) {
    return Promise.all(Array.from({ length: count }, () => new Person(server).#signUp()));
  }

  /** A number of apps that anyone may connect; their `client_id`s. A person has one grant for each at most. */
  static registerApps = (server, count) =>
    Promise.all(Array.from({ length: count }, () => Person.registerApp(server)));

  static async registerApp(server) {
    const app = {
      client_name: 'Bench',
      redirect_uris: [REDIRECT_URI],
      token_endpoint_auth_method: 'none',
    };
    const json = { 'content-type': 'application/json' };
    return (await server.json(post('/svc/oauth/register', app, json), 201)).client_id;
  }

  async #signUp() {
    const options = await this.#server.json(
      post('/svc/auth/register/options', { displayName: 'Ann' }),
    );
    const request = post('/svc/auth/register/verify', this.passkey.created(options));
    const { headers } = await this.#server.ask(request);
    this.headers = { cookie: [headers['set-cookie']].flat().at(-1).split(';')[0] };
    return this;
  }

  loginOptions = () => this.#server.json(post('/svc/auth/login/options', {}));

  verification = (options) => post('/svc/auth/login/verify', this.passkey.asserted(options));

  authorization(clientId, scope = 'account:read') {
    const query = new URLSearchParams({
      client_id: clientId,
      redirect_uri: REDIRECT_URI,
      response_type: 'code',
      code_challenge: VERIFIER_CHALLENGE,
      code_challenge_method: 'S256',
      state: 's',
      scope,
    });
    return { path: `/svc/oauth/authorize?${query}`, headers: this.headers };
  }

  /** What signs the consent page off that the service answered with. */
  consent({ text }, scope = 'account:read') {
    const [, handle] = /name="handle" value="([^"]+)"/.exec(text);
    const form = new URLSearchParams({ handle, decision: 'approve', scope });
    return post('/svc/oauth/authorize', form.toString(), { ...FORM, ...this.headers });
  }

  /** A code to exchange. */
  async code(clientId) {
    const page = await this.#server.ask(this.authorization(clientId));
    const { headers } = await this.#server.ask(this.consent(page), 302);
    return new URL(headers.location).searchParams.get('code');
  }

  /** Connects the app; the token response. */
  connect = async (clientId) => this.#server.json(exchange(clientId, await this.code(clientId)));
}

const tokenRequest = (fields) =>
  post('/svc/oauth/token', new URLSearchParams(fields).toString(), FORM);

export const exchange = (clientId, code) =>
  tokenRequest({
    grant_type: 'authorization_code',
    client_id: clientId,
    code,
    code_verifier: VERIFIER,
    redirect_uri: REDIRECT_URI,
  });

export const refresh = (clientId, token) =>
  tokenRequest({ grant_type: 'refresh_token', client_id: clientId, refresh_token: token });
