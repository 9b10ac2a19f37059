import { userInfo } from 'node:os';
import { Admin } from '../support/admin.js';
import { Browser } from '../support/browser.js';
import { useGatehouse } from '../support/gatehouse.js';
import { OAuthClient, type TokenResponse } from '../support/oauth-client.js';

interface Page<T> {
  readonly items: T[];
}

const SCRIPT = { 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' };

describe('a blocked client (contract: Administration)', () => {
  const gatehouse = useGatehouse();
  let admin: Admin;
  let browser: Browser;

  const register = (uri: string) => OAuthClient.register(gatehouse, { redirect_uris: [uri] });

  /** Connects a client, runs `block`, and returns the answers to all requests of the client afterwards. */
  async function answersAfter(client: OAuthClient, block: () => Promise<unknown>) {
    const tokens = await client.connect(browser);
    const code = await client.authorize(browser);
    const handle = await client.showConsent(browser);
    const { access_token: access, refresh_token: refresh } = await client
      .exchange(code)
      .then((a) => a.json<typeof tokens>());
    await block();
    const consent = await client.answerConsent(browser, handle, ['account:read']);
    const refreshed = await client.refresh(refresh);
    const bearer = await client.mcp(access);
    return {
      authorize: (await browser.get(client.authorizePath())).status,
      signedOut: (await new Browser(gatehouse).get(client.authorizePath())).status,
      script: (await browser.get(client.authorizePath(), SCRIPT)).status,
      silent: (await browser.get(client.authorizePath({ prompt: 'none' }))).status,
      consent: consent.status,
      refresh: [refreshed.status, refreshed.json<{ error?: string }>().error],
      bearer: [bearer.status, bearer.headers['www-authenticate']?.includes('"invalid_token"')],
      access,
      ended: tokens.refresh_token,
    };
  }

  const REFUSED = {
    authorize: 400,
    signedOut: 400,
    script: 400,
    silent: 400,
    consent: 400,
    refresh: [400, 'unauthorized_client'],
    bearer: [401, true],
  };

  beforeAll(async () => {
    admin = new Admin(gatehouse);
    browser = new Browser(gatehouse);
    await browser.signUp();
  });

  it('is refused everywhere, and gets its apps back', async () => {
    const client = await register('https://app.example/cb');
    const block = () => admin.text('clients', 'block', client.id, '--yes');
    const { access, ended, ...answers } = await answersAfter(client, block);
    expect(answers).toEqual(REFUSED);
    for (const token of [ended, 'forged']) {
      const refused = (await client.refresh(token)).json();
      expect(refused).toMatchObject({ error: 'unauthorized_client' });
    }
    expect(await admin.json('clients', 'show', client.id)).toMatchObject({ blocked: true });

    await admin.text('clients', 'unblock', client.id);
    expect((await client.mcp(access)).status).toBe(200);
    expect((await browser.get(client.authorizePath())).status).toBe(200);
    const again = await admin.run('clients', 'unblock', client.id);
    expect(again).toEqual({ code: 1, stdout: '', stderr: 'this is not blocked\n' });
    const expected = expect.objectContaining({ client: client.id, actor: userInfo().username });
    for (const type of ['client-blocked', 'client-unblocked']) {
      const { items } = await admin.json<Page<object>>('audit', 'list', '--type', type);
      expect(items).toEqual([expected]);
    }
  });

  it('does not come back under another id when the redirect host is blocked', async () => {
    const client = await register('https://Evil.example/cb');
    const block = () => admin.text('clients', 'block', '--redirect-host', 'EVIL.example', '--yes');
    const { access, ended: _ended, ...answers } = await answersAfter(client, block);
    expect(answers).toEqual(REFUSED);
    for (const uri of ['https://evil.example:444/x', 'https://EVIL.EXAMPLE/y']) {
      const other = await register(uri);
      expect([uri, (await browser.get(other.authorizePath())).status]).toEqual([uri, 400]);
    }
    const beside = await register('https://not-evil.example/cb');
    expect((await browser.get(beside.authorizePath())).status).toBe(200);
    await admin.text('clients', 'unblock', '--redirect-host', 'evil.example');
    expect((await client.mcp(access)).status).toBe(200);
  });

  it.each(['first', 'second'])(
    'is refused everywhere when the %s of its two redirect hosts is blocked, and gets its apps back',
    async (which) => {
      const hosts = ['first', 'second'].map((name) => `${name}-of-${which}.example`);
      const client = await OAuthClient.register(gatehouse, {
        redirect_uris: hosts.map((host) => `https://${host}/cb`),
      });
      const host = `${which}-of-${which}.example`;
      const block = () => admin.text('clients', 'block', '--redirect-host', host, '--yes');
      const { access, ended: _ended, ...answers } = await answersAfter(client, block);
      expect(answers).toEqual(REFUSED);
      await admin.text('clients', 'unblock', '--redirect-host', host);
      expect((await client.mcp(access)).status).toBe(200);
    },
  );

  it('a refresh token that was replaced long ago is no replay while its redirect host is blocked', async () => {
    const client = await register('https://replaced.example/cb');
    const tokens = await client.connect(browser);
    const next = (await client.refresh(tokens.refresh_token)).json<TokenResponse>();
    const latest = (await client.refresh(next.refresh_token)).json<TokenResponse>();
    await admin.text('clients', 'block', '--redirect-host', 'replaced.example', '--yes');
    const refused = (await client.refresh(tokens.refresh_token)).json();
    expect(refused).toMatchObject({ error: 'unauthorized_client' });
    await admin.text('clients', 'unblock', '--redirect-host', 'replaced.example');
    expect((await client.refresh(latest.refresh_token)).status).toBe(200);
  });

  describe('in lists', () => {
    type Client = Readonly<Record<'id' | 'kind', string>> & { readonly blockedHosts: string[] };
    type Host = Readonly<Record<'redirectHost' | 'blockedAt', string>>;

    const listed = async (id: string) => {
      const { items } = await admin.json<Page<Client>>('clients', 'list', '--limit', '1000');
      return items.find((client) => client.id === id);
    };
    const hosts = (...args: string[]) =>
      admin.json<Page<Host> & { next: string | null }>('clients', 'blocked-hosts', ...args);

    it('redirect hosts that are blocked are listed, the last one first, a page at a time', async () => {
      const names = ['one.example', 'two.example', 'three.example'];
      for (const name of names) {
        await admin.text('clients', 'block', '--redirect-host', name, '--yes');
      }
      const first = await hosts('--limit', '2');
      const second = await hosts('--limit', '2', '--after', first.next ?? '');
      const both = [...first.items, ...second.items].map(({ redirectHost }) => redirectHost);
      expect(both.toSorted()).toEqual(names.toSorted());
      expect([first.items.length, second.next]).toEqual([2, null]);
      expect(first.items[0]?.blockedAt).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
      const after = await admin.run('clients', 'blocked-hosts', '--after', 'four.example');
      expect([after.code, after.stderr]).toEqual([1, expect.stringContaining('no row')]);
      for (const name of names) await admin.text('clients', 'unblock', '--redirect-host', name);
      expect(await hosts()).toEqual({ items: [], next: null });
    });

    it('a client says whether it is blocked, and which of its redirect hosts are', async () => {
      const client = await OAuthClient.register(gatehouse, {
        redirect_uris: ['https://Listed.example/cb', 'https://beside.example/cb'],
      });
      expect(await listed(client.id)).toMatchObject({ blocked: false, blockedHosts: [] });
      await admin.text('clients', 'block', '--redirect-host', 'listed.example', '--yes');
      await admin.text('clients', 'block', client.id, '--yes');
      const blocked = { blocked: true, blockedHosts: ['listed.example'] };
      expect(await listed(client.id)).toMatchObject(blocked);
      expect(await admin.json('clients', 'show', client.id)).toMatchObject(blocked);
      await admin.text('clients', 'unblock', '--redirect-host', 'listed.example');
      await admin.text('clients', 'unblock', client.id);
    });

    it('a client that was never here, or is gone, is listed while it is blocked', async () => {
      const url = 'https://never.example/client.json';
      const { id } = await admin.json<{ id: string }>(
        'clients',
        'create',
        '--name=Gone',
        '--redirect-uri=https://gone.example/',
      );
      for (const [client, kind] of [
        [url, 'published'],
        [id, 'registered'],
      ] as const) {
        await admin.text('clients', 'block', client, '--yes');
        if (client === id) await admin.text('clients', 'delete', client, '--yes');
        expect(await listed(client)).toMatchObject({ kind, blocked: true });
        await admin.text('clients', 'unblock', client);
        expect(await listed(client)).toBeUndefined();
      }
    });
  });

  it.each([
    ['an unknown client', ['no-such-id', '--yes']],
    ['nothing', ['--yes']],
    ['both', ['no-such-id', '--redirect-host', 'evil.example', '--yes']],
    ['a URL', ['--redirect-host', 'https://evil.example/', '--yes']],
    ['a URL in a spelling that no client has', ['https://Evil.example/app', '--yes']],
    ['without an answer', ['--redirect-host', 'evil.example']],
  ])('refuses to block %s', async (_what, args) => {
    const { code, stdout, stderr } = await admin.run('clients', 'block', ...args);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^[^\n]+\n$/);
  });
});
