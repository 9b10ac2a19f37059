import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Gatehouse, startGatehouse } from './gatehouse.js';
import { type Answer, call } from './http.js';
import { managementPortOf } from './management.js';

const sha256 = (token: string) => createHash('sha256').update(token).digest('hex');

/** The tokens of operators, by their names. */
export const OPERATORS = {
  rita: { role: 'read', token: 'rita-has-a-token-of-41-characters-to-read' },
  sam: { role: 'support', token: 'sam-has-a-token-of-enough-characters-too' },
  ada: { role: 'admin', token: 'ada-has-a-token-that-may-do-everything-here' },
} as const;

export type Operator = keyof typeof OPERATORS;

/** A file for `ADMIN_TOKENS_FILE` in a folder of its own. */
export function tokensFile() {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-console-'));
  const path = join(folder, 'tokens.json');
  const write = (names: readonly Operator[]) =>
    writeFileSync(
      path,
      JSON.stringify(
        names.map((name) => {
          const { role, token } = OPERATORS[name];
          return { name, role, sha256: [sha256(token)] };
        }),
      ),
      { mode: 0o600 },
    );
  write(['rita', 'sam', 'ada']);
  return { path, write, remove: () => rmSync(folder, { recursive: true }) };
}

/** A service with the console, for the operators in the file. */
export const startWithConsole = (
  path: string,
  variables: Readonly<Record<string, string>> = {},
  replicaOf?: Gatehouse,
) =>
  startGatehouse(
    {
      MANAGEMENT_PORT: '0',
      MANAGEMENT_ALLOWED_HOSTS: 'console.example',
      ADMIN_TOKENS_FILE: path,
      CONSOLE: 'on',
      MACHINE_CLIENTS: 'on',
      ...variables,
    },
    replicaOf,
  );

type Headers = Readonly<Record<string, string>>;

/** A browser at the console: its cookie, and forms with the token of the page that it saw last. */
export class ConsoleVisitor {
  cookie = '';
  /** The token of the forms of the last page. */
  token = '';

  constructor(
    private readonly service: Pick<Gatehouse, 'app'>,
    private readonly headers: Headers = {},
  ) {}

  /** The same browser at another replica. */
  at(service: Pick<Gatehouse, 'app'>) {
    const moved = new ConsoleVisitor(service, this.headers);
    return Object.assign(moved, { cookie: this.cookie, token: this.token });
  }

  get origin() {
    return `http://localhost:${managementPortOf(this.service)}`;
  }

  get(path: string, headers: Headers = {}): Promise<Answer> {
    return this.send('GET', path, undefined, headers);
  }

  /** Posts a form of the last page. */
  post(path: string, form: Headers = {}, headers: Headers = {}): Promise<Answer> {
    const body = String(new URLSearchParams({ token: this.token, ...form }));
    return this.send('POST', path, body, headers);
  }

  signIn(name: string, value: string, form: Headers = {}): Promise<Answer> {
    return this.post('/console/sign-in', { name, value, ...form });
  }

  /** Signs in, and sees the first page. */
  async enterAs(name: Operator): Promise<this> {
    const entered = await this.signIn(name, OPERATORS[name].token);
    if (entered.status !== 303) throw new Error(`sign-in answered ${entered.status}`);
    await this.get('/console');
    return this;
  }

  private async send(method: string, path: string, body: string | undefined, headers: Headers) {
    const port = managementPortOf(this.service);
    const answer = await call(port, {
      method,
      path,
      body,
      headers: {
        host: `localhost:${port}`,
        ...(this.cookie === '' ? {} : { cookie: this.cookie }),
        ...(body === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
        ...this.headers,
        ...headers,
      },
    });
    const [cookie] = answer.headers['set-cookie'] ?? [];
    if (cookie !== undefined) this.cookie = cookie.split(';')[0] ?? '';
    this.token = /name="token" value="([^"]+)"/.exec(answer.text)?.[1] ?? this.token;
    return answer;
  }
}
