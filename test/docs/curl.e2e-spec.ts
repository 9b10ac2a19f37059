import { readFileSync } from 'node:fs';
import { Admin } from '../support/admin.js';
import { Browser } from '../support/browser.js';
import type { Gatehouse } from '../support/gatehouse.js';
import { call } from '../support/http.js';
import { type IssuedMachine, MACHINES } from '../support/machine-client.js';
import { type ManagedAccess, startManagedAccess } from '../support/managed-access.js';
import { OAuthClient } from '../support/oauth-client.js';
import { type ListedResource, ResourceFiles } from '../support/resource-files.js';

const text = readFileSync(new URL('../../docs/reference/http.md', import.meta.url), 'utf8');
const commands = [...text.matchAll(/^curl .+$/gm)].map(([command]) => command);

const ORIGIN = 'http://localhost:3000';
const WORD = /(?:[^\s'"]|'[^']*'|"[^"]*")+/g;
const QUOTED = /'([^']*)'|"([^"]*)"/g;

const NOTES = {
  resource: 'https://notes.example/mcp',
  name: 'Notes',
  scopes: [{ name: 'notes:read', description: 'read your notes' }],
  tokens: 'jwt',
  introspection: { clientId: 'notes-server', secret: 'secret' },
} as const satisfies ListedResource;

/** The request that curl makes of these arguments. */
function requestOf(words: readonly string[]) {
  const headers: Record<string, string> = {};
  const data: string[] = [];
  let [method, path] = ['', ''];
  for (let at = 1; at < words.length; at += 1) {
    const word = words[at] ?? '';
    if (word.startsWith(ORIGIN)) {
      path = word.slice(ORIGIN.length);
      continue;
    }
    at += 1;
    const value = words[at] ?? '';
    if (word === '--request') method = value;
    else if (word === '--cookie') headers['cookie'] = value;
    else if (word === '--oauth2-bearer') headers['authorization'] = `Bearer ${value}`;
    else if (word === '--user') headers['authorization'] = `Basic ${btoa(value)}`;
    else if (word === '--json' || word === '--data') {
      const type = word === '--json' ? 'application/json' : 'application/x-www-form-urlencoded';
      headers['content-type'] = type;
      headers['accept'] = word === '--json' ? type : '*/*';
      data.push(value);
    } else throw new Error(`curl ${word} is not known here`);
  }
  const body = data.length === 0 ? undefined : data.join('&');
  return { method: method || (body === undefined ? 'GET' : 'POST'), path, headers, body };
}

describe('the examples of docs/reference/http.md', () => {
  let files: ResourceFiles;
  let managed: ManagedAccess;
  let gatehouse: Gatehouse;
  let values: Readonly<Record<string, string>>;

  beforeAll(async () => {
    files = await ResourceFiles.of(NOTES);
    const variables = { ...files.variables, ...MACHINES };
    managed = await startManagedAccess({ variables });
    ({ gatehouse } = managed);
    const robot = ['clients', 'create', '--machine', '--name', 'Robot', '--scope', 'code:run'];
    const machine = await new Admin(gatehouse, [], variables).json<IssuedMachine>(...robot);
    const browser = new Browser(gatehouse);
    await browser.signUp();
    const client = await OAuthClient.register(gatehouse);
    const { access_token, refresh_token } = await client.connect(browser);
    values = {
      SESSION: browser.cookie?.replace('session=', '') ?? '',
      CLIENT_ID: client.id,
      REFRESH_TOKEN: refresh_token,
      ACCESS_TOKEN: access_token,
      SERVER_ID: NOTES.introspection.clientId,
      SERVER_SECRET: NOTES.introspection.secret,
      MACHINE_ID: machine.clientId,
      MACHINE_SECRET: machine.clientSecret ?? '',
      APP_ID: managed.client.id,
      APP_SECRET: managed.client.secret ?? '',
      ASSERTION: await managed.assertion('ann'),
    };
  });
  afterAll(async () => {
    await managed.stop();
    files.remove();
  });

  it('are there', () => {
    expect(commands.length).toBeGreaterThan(8);
  });

  it.each(commands)('%s', async (line) => {
    const [command = '', answered] = line.split(/ +# /);
    const words = (command.match(WORD) ?? []).map((word) =>
      word
        .replaceAll(QUOTED, (_quoted, plain?: string, filled?: string) => plain ?? filled ?? '')
        .replaceAll(/\$\{([A-Z_]+):\?\}/g, (name, key: string) => values[key] ?? name),
    );
    const { headers, ...request } = requestOf(words);
    const host = new URL(gatehouse.origin).host;
    const answer = await call(gatehouse.port, { ...request, headers: { host, ...headers } });
    expect([answer.status, answer.text]).toEqual([
      request.path.endsWith('/register') ? 201 : 200,
      expect.any(String),
    ]);
    expect(answer.json()).toEqual(
      answered === undefined
        ? expect.not.objectContaining({ error: expect.anything() })
        : JSON.parse(answered),
    );
  });
});
