// People with a session and a passkey at better-auth, and clients: by the requests that they would send.
import { Passkey } from './passkey.mjs';
import { authorizationQuery, exchange } from './person.mjs';

const API = '/api/auth';
export const TOKEN_PATH = `${API}/oauth2/token`;
export const INTROSPECTION_PATH = `${API}/oauth2/introspect`;
const SERVER_REDIRECT_URI = 'https://server.example.org/cb';

const cookiesOf = ({ headers }) => ({
  cookie: [headers['set-cookie']]
    .flat()
    .map((one) => one.split(';')[0])
    .join('; '),
});

export class BetterAuthPerson {
  static #made = 0;
  #server;

  constructor(server) {
    this.#server = server;
    this.passkey = new Passkey(server.origin);
  }

  /** A number of people with an account and a session each. */
  static signUp(server, count) {
    return Promise.all(Array.from({ length: count }, () => new BetterAuthPerson(server).#signUp()));
  }

  async #signUp() {
    this.email = `ann${(BetterAuthPerson.#made += 1)}@example.org`;
    const account = { email: this.email, password: 'long enough a password', name: 'Ann' };
    this.headers = cookiesOf(await this.#server.ask(this.#post('/sign-up/email', account)));
    return this;
  }

  /** `{ app, machine, server }` as peers/better-auth.mjs makes them. */
  clients = () => this.#server.json({ path: '/clients', headers: this.headers });

  async addPasskey() {
    const path = `${API}/passkey/generate-register-options`;
    const answer = await this.#server.ask({ path, headers: this.headers });
    const cookie = [this.headers.cookie, cookiesOf(answer).cookie].join('; ');
    const response = this.passkey.created(JSON.parse(answer.text));
    await this.#server.ask(this.#post('/passkey/verify-registration', { response }, { cookie }));
  }

  loginOptions = () => ({ path: `${API}/passkey/generate-authenticate-options` });

  /** From the answer to `loginOptions`. */
  verification(answer) {
    const response = this.passkey.asserted(JSON.parse(answer.text));
    return this.#post('/passkey/verify-authentication', { response }, cookiesOf(answer));
  }

  async code(clientId, more = {}) {
    const query = authorizationQuery(clientId, { scope: 'account:read offline_access', ...more });
    const headers = { ...this.headers, accept: 'application/json' };
    const { url } = await this.#server.json({ path: `${API}/oauth2/authorize?${query}`, headers });
    return new URL(url).searchParams.get('code');
  }

  connect = async (clientId) =>
    this.#server.json(exchange(clientId, await this.code(clientId), { path: TOKEN_PATH }));

  /** The token response of a client with a secret, which may introspect what it got. */
  async connectServer(secret) {
    const [clientId] = secret;
    const code = await this.code(clientId, { redirect_uri: SERVER_REDIRECT_URI });
    const more = { path: TOKEN_PATH, redirectUri: SERVER_REDIRECT_URI, secret };
    return this.#server.json(exchange(clientId, code, more));
  }

  #post = (path, body, headers = {}) => ({
    method: 'POST',
    path: `${API}${path}`,
    headers: { 'content-type': 'application/json', origin: this.#server.origin, ...headers },
    body: JSON.stringify(body),
  });
}
