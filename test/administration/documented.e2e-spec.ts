import { readFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { AdminApi, startAdministered } from '../support/admin-api.js';
import { Admin } from '../support/admin.js';
import { Browser } from '../support/browser.js';
import { useGatehouse } from '../support/gatehouse.js';
import { OAuthClient } from '../support/oauth-client.js';

const DOCUMENT = new URL('../../docs/reference/administration.md', import.meta.url);
const EXAMPLE = /^```console\n([^]*?)^```$/gm;
const COMMAND = /^\$ (.+)\n((?:(?!\$ ).*\n)*)/gm;
const ADMIN = 'npm run --silent admin -- ';
const CURL =
  /^curl --silent --oauth2-bearer "\$\{ADMIN_TOKEN:\?\}"(?: --request ([A-Z]+))?(?: --json '(.+)')? http:\/\/127\.0\.0\.1:9090\/admin\/(\S+)$/;

/** The accounts, the client and the app in the document's examples. */
const ANN = 'lq2gVYVmQbyAnn0Kx3dZ9w';
const BOB = 'bXk3Qw8ZtR5nVd0YhJm2Lg';
const NOTEBOOK = 'u8Jp0bqTn3yRkYw5LhXc2A';
const APP = 'Nf7eG3tKqXw0cR5vYb9DsM';

/** Ids and secrets. */
const RANDOM = /(?<![\w-])(?:[\w-]{43}|[\w-]{22})(?![\w-])/g;

/** Invitation codes. */
const CODE = /\b(?:[0-9A-Z]{4}-){4}[0-9A-Z]{4}\b/g;

/** Without random values and column widths. */
const plain = (text: string) =>
  text
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
    .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '<uuid>')
    .replaceAll(CODE, '<code>')
    .replaceAll(/\blocalhost:\d+/g, '<host>')
    .replaceAll(/#[0-9A-Z]{32}\b/g, '#<code>')
    .replaceAll(/ +/g, ' ');

describe('docs/reference/administration.md (contract: Administration)', () => {
  const gatehouse = useGatehouse(() => startAdministered());
  let admin: Admin;
  let api: AdminApi;
  let names: Map<string, string>;

  const inReality = (text: string) =>
    text.replaceAll(RANDOM, (documented) => names.get(documented) ?? documented);

  async function printedBy(command: string): Promise<string> {
    if (command.startsWith(ADMIN)) return admin.text(...command.slice(ADMIN.length).split(' '));
    const [, method = 'GET', body, path = ''] = CURL.exec(command) ?? [];
    return `${(await api.send(method, path, body)).text}\n`;
  }

  /** Maps a value that is printed for the first time to the value that the document shows there. */
  function learn(documented: string, printed: string) {
    const known = new Set(names.values());
    const issued = (printed.match(RANDOM) ?? []).filter((real) => !known.has(real));
    const shown = (documented.match(RANDOM) ?? []).filter((name) => !names.has(name));
    for (const [index, name] of shown.entries()) names.set(name, issued[index] ?? '');
  }

  beforeAll(async () => {
    admin = new Admin(gatehouse);
    api = new AdminApi(gatehouse);
    const browser = new Browser(gatehouse);
    const { user } = (await browser.signUp()).json<{ user: { id: string } }>();
    const client = await OAuthClient.register(gatehouse, { client_name: 'Notebook' });
    await client.connect(browser);
    const [app] = (await browser.get('/svc/me/apps')).json<{ apps: { id: string }[] }>().apps;
    const bob = await new Browser(gatehouse).signUp('Bob');
    names = new Map([
      [ANN, user.id],
      [BOB, bob.json<{ user: { id: string } }>().user.id],
      [NOTEBOOK, client.id],
      [APP, app?.id ?? ''],
    ]);
  });

  it('shows what every command prints, one after the other', async () => {
    const blocks = [...readFileSync(DOCUMENT, 'utf8').matchAll(EXAMPLE)];
    const console = blocks.map(([, block]) => block).join('');
    const examples = [...console.matchAll(COMMAND)];
    expect(examples.length).toBeGreaterThan(10);
    for (const [, command = '', documented = ''] of examples) {
      const printed = await printedBy(inReality(command));
      learn(documented, printed);
      const asRoot = printed.replaceAll(` ${userInfo().username} `, ' root ');
      expect([command, plain(asRoot)]).toEqual([command, plain(inReality(documented))]);
    }
  });
});
