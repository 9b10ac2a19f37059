import { Admin } from '../support/admin.js';
import { Browser } from '../support/browser.js';
import { useGatehouse } from '../support/gatehouse.js';
import { OAuthClient } from '../support/oauth-client.js';

interface Issued {
  readonly id: string;
  readonly secret: string | null;
}

interface Page<T> {
  readonly items: T[];
  readonly next: string | null;
}

const REDIRECT = 'https://app.example/callback';

describe('admin clients (contract: Administration)', () => {
  const gatehouse = useGatehouse();
  let admin: Admin;
  let browser: Browser;

  const create = (...more: string[]) =>
    admin.json<Issued>('clients', 'create', '--name', 'Robot', '--redirect-uri', REDIRECT, ...more);
  const eventsOf = async (type: string) =>
    (await admin.json<Page<{ client: string }>>('audit', 'list', '--type', type)).items.map(
      ({ client }) => client,
    );

  beforeAll(async () => {
    admin = new Admin(gatehouse);
    browser = new Browser(gatehouse);
    await browser.signUp();
  });

  it('creates a public client that people connect', async () => {
    const { id, secret } = await create('--redirect-uri', 'http://127.0.0.1/cb');
    expect(secret).toBeNull();
    const client = OAuthClient.published(gatehouse, id, REDIRECT);
    const { access_token: token } = await client.connect(browser);
    expect((await client.mcp(token)).status).toBe(200);
    expect(await admin.json('clients', 'show', id)).toMatchObject({
      id,
      name: 'Robot',
      kind: 'registered',
      redirectUris: [REDIRECT, 'http://127.0.0.1/cb'],
      auth: 'none',
      apps: 1,
    });
    expect(await eventsOf('client-created')).toContain(id);
    const refused = await admin.run('clients', 'rotate-secret', id, '--yes');
    expect([refused.code, refused.stdout]).toEqual([1, '']);
    expect(refused.stderr).toMatch(/^this client has no secret: .*\n$/);
  });

  it.each(['client_secret_post', 'client_secret_basic'])(
    'creates one that authenticates by %s, and rotates its secret',
    async (auth) => {
      const { id, secret } = await create('--auth', auth);
      const client = OAuthClient.published(gatehouse, id, REDIRECT);
      const exchange = async (given: string | null) => {
        const code = await client.authorize(browser);
        if (auth === 'client_secret_post') {
          return (await client.exchange(code, { client_secret: given ?? '' })).status;
        }
        const authorization = `Basic ${Buffer.from(`${id}:${given}`).toString('base64')}`;
        const form = { grant_type: 'authorization_code', code, code_verifier: client.verifier };
        return (await client.token({ ...form, client_id: undefined }, { authorization })).status;
      };
      expect([await exchange(secret), await exchange('guessed')]).toEqual([200, 401]);

      const rotated = await admin.json<Issued>('clients', 'rotate-secret', id, '--yes');
      expect(rotated.id).toBe(id);
      expect([await exchange(secret), await exchange(rotated.secret)]).toEqual([401, 200]);
      const printed = await admin.text('clients', 'show', id);
      expect(printed).not.toContain(rotated.secret);
      expect(await eventsOf('client-secret-rotated')).toContain(id);
    },
  );

  it('deletes one: its apps end, and no account can connect it again', async () => {
    const { id } = await create();
    const client = OAuthClient.published(gatehouse, id, REDIRECT);
    const { access_token: token } = await client.connect(browser);
    const handle = await client.showConsent(browser);
    expect(await admin.json('clients', 'delete', id, '--yes')).toEqual({ id, endedApps: 1 });
    expect((await client.mcp(token)).status).toBe(401);
    expect((await client.answerConsent(browser, handle, ['account:read'])).status).toBe(400);
    expect((await browser.get(client.authorizePath())).status).toBe(400);
    expect((await admin.run('clients', 'show', id)).stderr).toBe('there is no client of that id\n');
    expect((await admin.run('clients', 'delete', id, '--yes')).code).toBe(1);
    expect(await eventsOf('client-deleted')).toEqual([id]);
  });

  it('lists what registered itself too, newest first, a page at a time', async () => {
    const own = await OAuthClient.register(gatehouse, { client_name: 'Own \u001B[31mname' });
    const { items, next } = await admin.json<Page<Issued>>('clients', 'list', '--limit', '1');
    expect([items.map(({ id }) => id), next]).toEqual([[own.id], own.id]);
    const rest = await admin.json<Page<Issued>>('clients', 'list', '--after', own.id);
    expect(rest.next).toBeNull();
    expect(rest.items.map(({ id }) => id)).not.toContain(own.id);
    expect(rest.items.length).toBeGreaterThan(1);
  });

  it.each([
    ['no name', ['--redirect-uri', REDIRECT], '--name'],
    ['no redirect URI', ['--name', 'Robot'], '--redirect-uri'],
    ['an http redirect URI', ['--name', 'x', '--redirect-uri', 'http://app.example/'], 'https'],
    ['javascript:', ['--name', 'x', '--redirect-uri', 'javascript:alert(1)'], 'must not use'],
    ['a method with a key', ['--name', 'x', '--auth', 'private_key_jwt'], 'Allowed choices'],
  ])('refuses %s', async (_what, args, reason) => {
    const { code, stdout, stderr } = await admin.run('clients', 'create', ...args);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^[^\n]+\n$/);
    expect(stderr).toContain(reason);
  });
});
