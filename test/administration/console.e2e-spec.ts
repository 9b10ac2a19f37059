import { advanceClock, eventually, restoreClock } from '#libs/platform/testing';
import { Admin } from '../support/admin.js';
import { Browser } from '../support/browser.js';
import {
  ConsoleVisitor,
  type Operator,
  OPERATORS,
  startWithConsole,
  tokensFile,
} from '../support/console-visitor.js';
import { type Gatehouse, startGatehouse } from '../support/gatehouse.js';
import { holdBody } from '../support/held-body.js';
import { managementPortOf } from '../support/management.js';
import { OAuthClient } from '../support/oauth-client.js';
import { afterRounds, beginRounds, endRounds } from '../support/rounds.js';

const PAGES = ['', '/accounts', '/apps', '/invites', '/trail', '/deliveries', '/settings'];
const WRONG = 'a-token-of-more-than-32-characters-that-none-has';
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

describe('the console (contract: Administration)', () => {
  const file = tokensFile();
  let replicas: readonly [Gatehouse, Gatehouse];
  let ann: Browser;
  let id: string;
  let client: OAuthClient;

  const visitor = (headers?: Record<string, string>) => new ConsoleVisitor(replicas[0], headers);
  const enter = (name: Operator) => visitor().enterAs(name);
  const admin = () => new Admin(replicas[0]);
  /** The last row of the trail with that type, once it is written. */
  const eventOf = async (type: string) => {
    let found: { actor: string | null; user: string | null } | undefined;
    await eventually(async () => {
      const list = ['audit', 'list', '--type', type, '--limit', '1'];
      [found] = (await admin().json<{ items: { actor: string; user: string }[] }>(...list)).items;
      expect(found).toBeDefined();
    });
    return found;
  };

  beforeAll(async () => {
    beginRounds('intervals');
    const variables = {
      TRUSTED_PROXIES: 'loopback',
      EVENTS_WEBHOOK_URL: 'http://127.0.0.1:9/a-secret-path',
      EVENTS_WEBHOOK_SECRET: `whsec_${Buffer.from('a secret that no page shows').toString('base64')}`,
    };
    const here = await startWithConsole(file.path, variables);
    const there =
      globalThis.STORAGE === 'embedded' ? here : await startWithConsole(file.path, variables, here);
    replicas = [here, there];
    ann = new Browser(here);
    ({ id } = (await ann.signUp('Ann <b>Lee</b>')).json<{ user: { id: string } }>().user);
    client = await OAuthClient.register(here);
    await client.connect(ann);
  });
  afterEach(restoreClock);
  afterAll(async () => {
    for (const replica of new Set(replicas).values()) await replica.stop();
    file.remove();
    endRounds();
  });

  it('is off by default, and never on the public listener', async () => {
    const plain = await startGatehouse({ MANAGEMENT_PORT: '0', ADMIN_TOKENS_FILE: file.path });
    try {
      expect((await new ConsoleVisitor(plain).get('/console')).status).toBe(404);
    } finally {
      await plain.stop();
    }
    for (const path of ['/console', '/console/accounts']) {
      expect((await ann.get(path)).status).toBe(404);
    }
  });

  describe('sign-in', () => {
    it('leads from any page to itself, by the name and the value of a token', async () => {
      const browser = visitor();
      const page = await browser.get('/console/trail?type=sign-in');
      expect(page.status).toBe(200);
      expect(page.text).toContain('name="to" value="/console/trail?type=sign-in"');
      const to = { to: '/console/trail?type=sign-in' };
      const entered = await browser.signIn('ada', OPERATORS.ada.token, to);
      expect([entered.status, entered.headers.location]).toEqual([303, to.to]);
      expect(entered.headers['set-cookie']).toEqual([
        expect.stringMatching(/^console=[\w.-]+; Path=\/console; HttpOnly; SameSite=Strict$/),
      ]);
      expect((await browser.get(to.to)).text).toContain('ada (admin)');
    });

    it.each([
      'https://evil.example/',
      '//evil.example',
      '/svc/account',
      '/consoles',
      '/console\\x',
      '/console/../admin/users',
      '/console/%2e%2E/admin/users',
      '/console/accounts/..//../../svc/account',
      '/console/sign-in',
    ])('goes on to no other place than a page of the console: %s', async (to) => {
      const { headers } = await visitor().signIn('rita', OPERATORS.rita.token, { to });
      expect(headers.location).toBe('/console');
    });

    it('has the headers of the authorize page, with no target of forms but the service', async () => {
      for (const path of ['/console', '/console/settings', '/console/no-such-page']) {
        const { headers } = await (await enter('rita')).get(path);
        expect(headers).toMatchObject({
          'cache-control': 'no-store',
          'content-type': 'text/html; charset=utf-8',
          'referrer-policy': 'same-origin',
          'x-content-type-options': 'nosniff',
          'x-frame-options': 'DENY',
          'content-security-policy': expect.stringMatching(
            /^default-src 'none'; script-src 'nonce-[\w-]+'; style-src 'nonce-[\w-]+'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
          ),
        });
      }
    });

    it.each([
      ['another token', 'ada', WRONG],
      ['the token of another name', 'ada', OPERATORS.rita.token],
      ['a name without a token', 'ada', ''],
      ['no name', '', OPERATORS.ada.token],
    ])('401 | %s', async (_what, name, value) => {
      const browser = visitor({ 'x-forwarded-for': '192.0.2.1' });
      const refused = await browser.signIn(name, value);
      expect([refused.status, browser.cookie]).toEqual([401, '']);
      expect(refused.text).toContain('No token of this service has this name and value.');
      expect(refused.text).not.toContain(WRONG);
    });

    it('429 | after five wrong tries in a minute, over all replicas, for right ones too', async () => {
      const from = { 'x-forwarded-for': '192.0.2.2' };
      const statuses: number[] = [];
      for (let n = 0; n < 6; n += 1) {
        const replica = replicas[n % 2] ?? replicas[0];
        const { status } = await new ConsoleVisitor(replica, from).signIn('ada', WRONG);
        statuses.push(status);
      }
      expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
      const right = await visitor(from).signIn('ada', OPERATORS.ada.token);
      expect([right.status, right.headers['retry-after']]).toEqual([429, '60']);
      expect(await eventOf('admin-token-refused')).toMatchObject({ actor: null });
    });

    it('429 | of parallel wrong tries five are looked at', async () => {
      const from = { 'x-forwarded-for': '192.0.2.6' };
      const tries = Array.from({ length: 20 }, (_, n) =>
        new ConsoleVisitor(replicas[n % 2] ?? replicas[0], from).signIn('ada', WRONG),
      );
      const statuses = (await Promise.all(tries)).map(({ status }) => status);
      expect(statuses.filter((status) => status === 401)).toHaveLength(5);
    });

    it('right tries do not count', async () => {
      const from = { 'x-forwarded-for': '192.0.2.3' };
      for (let n = 0; n < 8; n += 1) await visitor(from).enterAs('rita');
    });

    it('on https the cookie is Secure', async () => {
      const browser = visitor({ 'x-forwarded-for': '192.0.2.4', 'x-forwarded-proto': 'https' });
      const { headers } = await browser.signIn('rita', OPERATORS.rita.token);
      expect(headers['set-cookie']?.[0]).toMatch(/; SameSite=Strict; Secure$/);
    });

    it('403 | a form that another site sent', async () => {
      for (const headers of [
        { origin: 'https://evil.example' },
        { origin: 'null' },
        { 'sec-fetch-site': 'cross-site' },
        { 'sec-fetch-site': 'same-site' },
      ] as Record<string, string>[]) {
        const browser = visitor(headers);
        const refused = await browser.signIn('ada', OPERATORS.ada.token);
        expect([headers, refused.status, browser.cookie]).toEqual([headers, 403, '']);
      }
    });

    it('421 | a name that is not of the management listener', async () => {
      const refused = await visitor({ host: 'evil.example' }).get('/console');
      expect(refused.status).toBe(421);
      expect((await visitor({ host: 'console.example' }).get('/console')).status).toBe(200);
    });

    it('a link of another site loads the page once more, with the cookie', async () => {
      const linked = await visitor().get('/console/apps', { 'sec-fetch-site': 'cross-site' });
      expect([linked.status, linked.headers['refresh']]).toEqual([200, '0']);
      const typed = await visitor().get('/console/apps', { 'sec-fetch-site': 'none' });
      expect(typed.headers).not.toHaveProperty('refresh');
    });

    it.each(['cross-site', 'same-site'])(
      'a %s link does not open the page of an action',
      async (site) => {
        const browser = await enter('ada');
        const path = `/console/do/deleteUser?id=${id}`;
        const linked = await browser.get(path, { 'sec-fetch-site': site });
        expect([linked.status, linked.headers['refresh']]).toEqual([200, '0; url=/console']);
        expect(linked.text).toContain('name="to" value="/console"');
        expect(linked.text).not.toContain('Delete');
        const own = await browser.get(path, { 'sec-fetch-site': 'same-origin' });
        expect(own.text).toContain('Delete');
      },
    );
  });

  describe('a session', () => {
    const isSignedIn = async (browser: ConsoleVisitor) =>
      (await browser.get('/console')).text.includes('Sign out');

    it('is taken by any replica, and ends everywhere when it is signed out', async () => {
      const browser = await enter('ada');
      const elsewhere = browser.at(replicas[1]);
      const older = browser.at(replicas[1]);
      expect(await isSignedIn(elsewhere)).toBe(true);
      const ended = await browser.post('/console/sign-out');
      expect([ended.status, browser.cookie]).toEqual([303, 'console=']);
      for (const cookie of [elsewhere, older]) expect(await isSignedIn(cookie)).toBe(false);
    });

    it('ends after 30 minutes without a page, and after 8 hours in all', async () => {
      const idle = await enter('rita');
      advanceClock(30 * MINUTE_MS);
      expect(await isSignedIn(idle)).toBe(false);
      const busy = await enter('rita');
      for (let n = 0; n < 8 * 3 - 1; n += 1) {
        advanceClock(20 * MINUTE_MS);
        expect(await isSignedIn(busy)).toBe(true);
      }
      advanceClock(20 * MINUTE_MS);
      expect(await isSignedIn(busy)).toBe(false);
      advanceClock(HOUR_MS);
    });

    it('is no longer one when a character of its cookie differs', async () => {
      const { cookie } = await enter('ada');
      for (const at of [10, 40, 100, cookie.length - 2]) {
        const forged = visitor();
        const other = cookie[at] === 'a' ? 'b' : 'a';
        forged.cookie = cookie.slice(0, at) + other + cookie.slice(at + 1);
        expect([at, await isSignedIn(forged)]).toEqual([at, false]);
      }
      for (const value of ['', 'console=', 'console=x', `${cookie}; ${cookie}`]) {
        const forged = visitor();
        forged.cookie = value;
        expect([value, await isSignedIn(forged)]).toEqual([value, false]);
      }
    });

    it('ends when its token leaves the file', async () => {
      const sam = await enter('sam');
      file.write(['rita', 'ada']);
      try {
        await afterRounds(async () => expect(await isSignedIn(sam)).toBe(false));
        const refused = await sam.post('/console/do/signOutUser', { id });
        expect(refused.status).toBe(401);
        expect((await ann.me()).user).not.toBeNull();
      } finally {
        file.write(['rita', 'sam', 'ada']);
        const from = { 'x-forwarded-for': '192.0.2.5' };
        await afterRounds(async () => {
          expect(await isSignedIn(sam.at(replicas[1]))).toBe(true);
          expect((await visitor(from).signIn('sam', OPERATORS.sam.token)).status).toBe(303);
        });
      }
    });

    it('403 | a form without its token, with that of another session, or of another site', async () => {
      const browser = await enter('ada');
      const other = await enter('ada');
      const forms: readonly [Record<string, string>, Record<string, string>?][] = [
        [{ token: '' }],
        [{ token: other.token }],
        [{}, { origin: 'https://evil.example' }],
        [{}, { 'sec-fetch-site': 'cross-site' }],
      ];
      for (const [form, headers] of forms) {
        const refused = await browser.post('/console/do/signOutUser', { id, ...form }, headers);
        expect([form, headers, refused.status]).toEqual([form, headers, 403]);
        expect((await browser.post('/console/sign-out', form, headers)).status).toBe(403);
      }
      expect((await ann.me()).user).not.toBeNull();
      expect(await isSignedIn(browser)).toBe(true);
    });

    it('401 | when it ends while a form arrives, which changes nothing', async () => {
      const browser = await enter('ada');
      const port = managementPortOf(replicas[0]);
      const held = await holdBody(
        { port, origin: browser.origin },
        ann,
        '/console/do/signOutUser',
        {
          type: 'application/x-www-form-urlencoded',
          body: String(new URLSearchParams({ token: browser.token, id })),
          headers: { cookie: browser.cookie },
        },
      );
      expect(await isSignedIn(browser)).toBe(true);
      await browser.post('/console/sign-out');
      const { status, text } = await held.finish();
      expect([status, text]).toEqual([401, expect.not.stringContaining('Sign out')]);
      expect((await ann.me()).user).not.toBeNull();
    });

    it('shows every page, and 404 for others', async () => {
      const browser = await enter('rita');
      for (const page of PAGES) {
        const { status, text } = await browser.get(`/console${page}`);
        expect([page, status]).toEqual([page, 200]);
        expect(text).toContain('rita (read)');
      }
      for (const page of [
        '/',
        '/x',
        '/accounts/no-such-id',
        '/apps/%00',
        '/do/x',
        '/do/listUsers',
      ]) {
        expect([page, (await browser.get(`/console${page}`)).status]).toEqual([page, 404]);
      }
      expect((await browser.post('/console/accounts')).status).toBe(405);
    });
  });

  describe('roles', () => {
    const OF_SUPPORT = [
      'signOutUser',
      'disableUser',
      'enableUser',
      'recoverUser',
      'revokeRecovery',
    ];
    const INVITES = ['createInvite', 'deleteInvite'];
    const OF_ADMIN = [
      'exportUser',
      'deleteUser',
      'setBudget',
      'resetBudget',
      'linkUser',
      'unlinkUser',
      'createClient',
      'createMachineClient',
      'blockClient',
      'unblockClient',
      'deleteClient',
      'blockRedirectHost',
      'unblockRedirectHost',
      'rotateClientSecret',
      'setApp',
      'revokeApp',
      'retryOutbox',
      'retryOutboxEvent',
      'dropOutboxEvent',
      'setMachineBudget',
    ];

    it.each([
      ['rita', []],
      ['sam', [...OF_SUPPORT, ...INVITES]],
      ['ada', [...OF_SUPPORT, ...INVITES, ...OF_ADMIN]],
    ] as const)(
      '%s may do what the role may, sees only that, and 403 for the rest',
      async (name, mine) => {
        const browser = await enter(name);
        const allowed = new Set<string>(mine);
        for (const action of [...OF_SUPPORT, ...INVITES, ...OF_ADMIN]) {
          const asked = await browser.get(`/console/do/${action}`);
          const sent = await browser.post(`/console/do/${action}`, { id: 'no-such-id' });
          const may = asked.status === 200 && sent.status !== 403;
          const mayNot = asked.status === 403 && sent.status === 403;
          expect([action, may, mayNot]).toEqual([
            action,
            allowed.has(action),
            !allowed.has(action),
          ]);
        }
        const { text } = await browser.get(`/console/accounts/${id}`);
        const shown = [...text.matchAll(/\/console\/do\/(\w+)/g)].map(([, action]) => action ?? '');
        expect(shown.filter((action) => !allowed.has(action))).toEqual([]);
        expect(shown.includes('disableUser')).toBe(name !== 'rita');
        expect(shown.includes('exportUser')).toBe(name === 'ada');
      },
    );
  });

  describe('what people do there', () => {
    /** A link with that text, where there is one, leads to a page. */
    const expectLink = async (browser: ConsoleVisitor, text: string, page: string) => {
      const [, to] = new RegExp(`href="([^"]+)">${text}<`).exec(page) ?? [];
      if (to !== undefined) expect([to, (await browser.get(to)).status]).toEqual([to, 200]);
    };

    /** Opens the page that asks, sends its form and returns the text of the answer. */
    const act = async (
      browser: ConsoleVisitor,
      action: string,
      form: Record<string, string> = {},
    ) => {
      const { id: about } = form;
      const query = about === undefined ? '' : `?${new URLSearchParams({ id: about })}`;
      const asked = await browser.get(`/console/do/${action}${query}`);
      expect([action, asked.status]).toEqual([action, 200]);
      await expectLink(browser, 'Cancel', asked.text);
      const answer = await browser.post(`/console/do/${action}`, form);
      await expectLink(browser, 'Continue', answer.text);
      return { asked: asked.text, status: answer.status, text: answer.text };
    };

    it('an account: found, shown whole, disabled and enabled in the name of the token', async () => {
      const browser = await enter('sam');
      const found = await browser.get('/console/accounts?search=ann+%3Cb');
      expect(found.text).toContain(`href="/console/accounts/${id}"`);
      expect(found.text).toContain('Ann &lt;b&gt;Lee&lt;/b&gt;');
      expect(found.text).not.toContain('<th scope="col">Disabled</th>');
      expect((await browser.get('/console/accounts?search=nobody')).text).toContain(
        'There are none.',
      );
      const { text } = await browser.get(`/console/accounts/${id}`);
      for (const part of [
        'Passkeys',
        'Recovery codes',
        'Sessions',
        'Connected apps',
        'Budget',
        'Identities',
        'Trail',
      ]) {
        expect(text).toContain(part);
      }
      expect(text).toMatch(/href="\/console\/connections\/[\w-]+"/);
      const disabled = await act(browser, 'disableUser', { id });
      expect(disabled.asked).toContain('Disable Ann &lt;b&gt;Lee&lt;/b&gt;');
      expect(disabled.text).toContain('Disabled: Ann');
      expect(await eventOf('user-disabled')).toMatchObject({ actor: 'sam', user: id });
      expect((await act(browser, 'recoverUser', { id })).status).toBe(409);
      expect((await act(browser, 'enableUser', { id })).text).toContain('Enabled: Ann');
      expect(await ann.signIn()).toMatchObject({ status: 200 });
    });

    it('a recovery link and the code of an invite are told once, and nowhere else', async () => {
      const browser = await enter('sam');
      const { asked, text } = await act(browser, 'recoverUser', { id });
      expect(asked).toContain('Make a link that lets the person who has it into this account?');
      expect(text).toMatch(/http:\/\/localhost:\d+\/svc\/account\/recover#[\w-]{20,}/);
      expect((await act(browser, 'revokeRecovery', { id })).text).toContain('Revoked');
      const invited = await act(browser, 'createInvite', { uses: '2', expires: '24h' });
      const [, code = ''] = /shown this once: ([\w-]+)/.exec(invited.text) ?? [];
      expect(code).not.toBe('');
      const { text: invites } = await browser.get('/console/invites');
      expect(invites).not.toContain(code);
      const [, invite = ''] = /deleteInvite\?id=([\w-]+)/.exec(invites) ?? [];
      expect((await act(browser, 'deleteInvite', { id: invite })).text).toContain(
        'Deleted: invite',
      );
    });

    it('400 | the form comes back with what was entered, and what is wrong with it', async () => {
      const browser = await enter('ada');
      const { status, text } = await act(browser, 'createInvite', { uses: 'many <b>' });
      expect([status, text]).toEqual([400, expect.stringContaining('Uses takes a whole number')]);
      expect(text).toContain('value="many &lt;b&gt;"');
      const budget = await act(browser, 'setBudget', { id, credits: '-1' });
      expect([budget.status, budget.text]).toEqual([400, expect.stringContaining('Credits takes')]);
    });

    it('clients: made, blocked, given a new secret, deleted; hosts blocked', async () => {
      const browser = await enter('ada');
      const made = await act(browser, 'createClient', {
        name: 'Reports',
        redirectUris: 'https://reports.example/cb\nhttps://reports.example/other',
        auth: 'client_secret_basic',
      });
      const [, made1 = ''] =
        /Client id: ([\w-]+)\. Secret, shown this once: [\w-]+/.exec(made.text) ?? [];
      expect(made1).not.toBe('');
      const shown = await browser.get(`/console/apps/${made1}`);
      expect(shown.text).toContain('https://reports.example/other');
      expect((await act(browser, 'blockClient', { id: made1 })).text).toContain('Blocked');
      expect((await browser.get(`/console/apps/${made1}`)).text).toContain('unblockClient');
      expect((await act(browser, 'unblockClient', { id: made1 })).status).toBe(200);
      expect((await act(browser, 'rotateClientSecret', { id: made1 })).text).toContain(
        'shown this once',
      );
      expect((await act(browser, 'blockRedirectHost', { id: 'evil.example' })).status).toBe(200);
      expect((await browser.get('/console/apps')).text).toContain(
        'unblockRedirectHost?id=evil.example',
      );
      expect((await act(browser, 'deleteClient', { id: made1 })).text).toContain('Deleted: 0 apps');
      expect(await eventOf('client-deleted')).toMatchObject({ actor: 'ada' });
    });

    it('characters that people do not see are marked in what is asked and told', async () => {
      const browser = await enter('ada');
      const identity = { id, issuer: 'https://idp.example', subject: 'ann\u202Eeel' };
      const linked = await act(browser, 'linkUser', identity);
      const asked = await browser.get(`/console/do/unlinkUser?${new URLSearchParams(identity)}`);
      const unlinked = await browser.post('/console/do/unlinkUser', identity);
      for (const { text } of [linked, asked, unlinked]) {
        expect(text).toContain('ann<mark>U+202E</mark>eel at https://idp.example');
      }
    });

    it('a machine client gets its keys from the form, and no file of the server', async () => {
      const browser = await enter('ada');
      const jwks = JSON.stringify({
        keys: [
          {
            kty: 'EC',
            crv: 'P-256',
            x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU',
            y: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0',
            kid: 'one',
            alg: 'ES256',
          },
        ],
      });
      const form = { name: 'Night job', scopes: 'account:read' };
      const made = await act(browser, 'createMachineClient', { ...form, jwks });
      expect([made.status, made.text]).toEqual([200, expect.stringContaining('It uses its keys.')]);
      expect(made.asked).toContain('All that its tokens may have, one scope a line');
      expect(made.asked).not.toContain('of a machine');
      const path = await act(browser, 'createMachineClient', { ...form, jwks: file.path });
      expect([path.status, path.text]).toEqual([400, expect.not.stringContaining('sha256')]);
      const nested = `{"keys":${'['.repeat(2_500)}${']'.repeat(2_500)}}`;
      const deep = await act(browser, 'createMachineClient', { ...form, jwks: nested });
      expect([deep.status, deep.text]).toEqual([400, expect.stringContaining('nested too deeply')]);
    });

    it('a connection: what it may do, narrowed by a form, and ended', async () => {
      const browser = await enter('ada');
      const { text } = await browser.get(`/console/accounts/${id}`);
      const [, grant = ''] = /href="\/console\/connections\/([\w-]+)"/.exec(text) ?? [];
      expect((await browser.get(`/console/connections/${grant}`)).text).toMatch(
        /account:read<\/bdi>: <bdi>allow/,
      );
      const narrowed = await act(browser, 'setApp', {
        id: grant,
        permissions: 'account:read=off',
        paused: 'true',
      });
      expect(narrowed.text).toMatch(/account:read<\/bdi>: <bdi>off/);
      expect(await eventOf('connection-changed')).toMatchObject({ actor: 'ada', user: id });
      expect((await act(browser, 'revokeApp', { id: grant })).text).toContain('Disconnected');
      expect((await browser.get(`/console/connections/${grant}`)).status).toBe(404);
    });

    it('an export is a file, for admin alone', async () => {
      const browser = await enter('ada');
      await browser.get(`/console/do/exportUser?id=${id}`);
      const saved = await browser.post('/console/do/exportUser', { id });
      expect(saved.headers['content-disposition']).toBe(
        'attachment; filename="account-export.json"',
      );
      expect(saved.json()).toMatchObject({ profile: { id, displayName: 'Ann <b>Lee</b>' } });
    });

    it.each(['2026-13-45T99:99:99Z', '2026-11-28T12:00:00Z'])(
      'a name that looks like a time is a name: %s',
      async (name) => {
        const browser = await enter('rita');
        const person = new Browser(replicas[0]);
        const { user } = (await person.signUp(name)).json<{ user: { id: string } }>();
        for (const page of ['', `/${user.id}`]) {
          const { status, text } = await browser.get(`/console/accounts${page}`);
          expect([page, status]).toEqual([page, 200]);
          expect(text).toContain(`<bdi>${name}</bdi>`);
        }
      },
    );

    it('an account that is deleted is gone', async () => {
      const bob = new Browser(replicas[0]);
      const { id: gone } = (await bob.signUp('Bob')).json<{ user: { id: string } }>().user;
      const deleted = await act(await enter('ada'), 'deleteUser', { id: gone });
      expect(deleted.asked).toContain('Delete Bob');
      expect(deleted.text).toContain('Deleted: Bob');
      expect((await bob.me()).user).toBeNull();
    });

    it('pages of 50, newest first, with the filter in the address', async () => {
      const browser = await enter('ada');
      for (let n = 0; n < 51; n += 1) await act(browser, 'createInvite', {});
      const first = await browser.get('/console/invites');
      expect(first.text.match(/deleteInvite\?id=/g)).toHaveLength(50);
      const [, next = ''] =
        /href="(\/console\/invites\?after=[^"]+)" rel="next"/.exec(first.text) ?? [];
      const second = await browser.get(next.replaceAll('&amp;', '&'));
      const idsOf = (text: string) =>
        [...text.matchAll(/deleteInvite\?id=([\w-]+)/g)].map(([, one]) => one);
      const { items } = await admin().json<{ items: { id: string }[] }>(
        'invites',
        'list',
        '--limit',
        '1000',
      );
      expect([...idsOf(first.text), ...idsOf(second.text)]).toEqual(
        items.map((invite) => invite.id),
      );
      expect(second.text).toContain('Newest');
      const trail = await browser.get('/console/trail?type=invite-created&actor=ada');
      expect(trail.text).toMatch(
        /href="\/console\/trail\?type=invite-created&amp;actor=ada&amp;after=/,
      );
    }, 60_000);

    it('the trail as CSV: all members, the filter of the page, no formulas', async () => {
      const browser = await enter('rita');
      const mark = new Browser(replicas[0]);
      await mark.signUp('=1+1');
      const oauth = await OAuthClient.register(replicas[0], { client_name: '=HYPERLINK("x"),\n2' });
      await oauth.connect(mark);
      await eventOf('code-exchanged');
      await eventually(async () => {
        const path = `/console/trail.csv?client=${oauth.id}&type=consent-approved`;
        const { headers, text } = await browser.get(path);
        expect(headers).toMatchObject({
          'content-type': 'text/csv; charset=utf-8; header=present',
          'content-disposition': 'attachment; filename="trail.csv"',
        });
        const [heading = '', ...rest] = text.split('\r\n');
        expect(heading).toMatch(/^id,at,type,user,client,app,grant,/);
        expect(rest.join('\r\n')).toContain(`"'=HYPERLINK(""x"")`);
        expect(rest.join('')).not.toMatch(/(?:^|,)=/);
      });
      expect((await browser.get('/console/trail.csv?type=no-such-type')).status).toBe(400);
    });

    it('deliveries: those that wait, with what is delivered, delivered again', async () => {
      const browser = await enter('ada');
      const list = await browser.get('/console/deliveries');
      const [, event = ''] = /href="\/console\/deliveries\/([\w-]+)"/.exec(list.text) ?? [];
      expect((await browser.get(`/console/deliveries/${event}`)).text).toContain(
        '&quot;type&quot;',
      );
      expect((await act(browser, 'retryOutboxEvent', { id: event })).text).toContain(
        'Waits to be delivered',
      );
      expect(await eventOf('event-retried')).toMatchObject({ actor: 'ada' });
    });

    it('settings have no secret, and paths for admin alone', async () => {
      const { text } = await (await enter('ada')).get('/console/settings');
      expect(text).toContain(file.path);
      expect(text).toContain('No setting contradicts another');
      expect(text).not.toMatch(/whsec_|user:word|a-secret-path|\bPATH\b/);
      const read = await (await enter('rita')).get('/console/settings');
      expect(read.text).not.toContain(file.path);
      expect(read.text).toContain('Set, shown to admin alone');
    });

    it('the overview counts what the trail has of 24 hours', async () => {
      const browser = await enter('rita');
      await eventually(async () => {
        const { text } = await browser.get('/console');
        const [, signUps] = /New accounts: (\d+)/.exec(text) ?? [];
        expect(Number(signUps)).toBeGreaterThanOrEqual(2);
        expect(text).toMatch(/Sign-ins: [1-9]/);
      });
    });
  });
});
