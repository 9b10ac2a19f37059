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

  authorization(clientId, more = {}) {
    const query = authorizationQuery(clientId, { scope: 'account:read', ...more });
    return { path: `/svc/oauth/authorize?${query}`, headers: this.headers };
  }

  /** What signs the consent page off that the service answered with. */
  consent({ text }, scope = 'account:read') {
    const [, handle] = /name="handle" value="([^"]+)"/.exec(text);
    const answer = new URLSearchParams({ handle, decision: 'approve', scope });
    return post('/svc/oauth/authorize', answer.toString(), { ...FORM, ...this.headers });
  }

  /** A code to exchange; `more` has a resource and its scope, where it is another one. */
  async code(clientId, more = {}) {
    const page = await this.#server.ask(this.authorization(clientId, more));
    const { headers } = await this.#server.ask(this.consent(page, more.scope), 302);
    return new URL(headers.location).searchParams.get('code');
  }

  /** Connects the app; the token response. */
  connect = async (clientId, more) =>
    this.#server.json(exchange(clientId, await this.code(clientId, more)));
}

export const authorizationQuery = (clientId, more) =>
  new URLSearchParams({
    client_id: clientId,
    redirect_uri: REDIRECT_URI,
    response_type: 'code',
    code_challenge: VERIFIER_CHALLENGE,
    code_challenge_method: 'S256',
    state: 's',
    ...more,
  });

const TOKEN_PATH = '/svc/oauth/token';

/** A form; `secret` is `[clientId, clientSecret]` for HTTP Basic. */
export function form(path, fields, secret) {
  const credentials = secret && Buffer.from(secret.map(encodeURIComponent).join(':'));
  return post(path, new URLSearchParams(fields).toString(), {
    ...FORM,
    ...(credentials && { authorization: `Basic ${credentials.toString('base64')}` }),
  });
}

/** A client with a secret identifies itself by that alone. */
export const exchange = (clientId, code, { path = TOKEN_PATH, redirectUri, secret } = {}) => {
  const fields = {
    grant_type: 'authorization_code',
    code,
    code_verifier: VERIFIER,
    redirect_uri: redirectUri ?? REDIRECT_URI,
  };
  return secret ? form(path, fields, secret) : form(path, { ...fields, client_id: clientId });
};

export const refresh = (clientId, token, path = TOKEN_PATH) =>
  form(path, { grant_type: 'refresh_token', client_id: clientId, refresh_token: token });

/** For a client with a secret; `more` has the resource, where one has to be named. */
export const clientCredentials = (secret, more = {}, path = TOKEN_PATH) =>
  form(path, { grant_type: 'client_credentials', ...more }, secret);
