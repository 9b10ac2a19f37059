import { Admin } from '../support/admin.js';
import { Browser } from '../support/browser.js';
import { advanceClock, eventually } from '#libs/platform/testing';
import { startGatehouse, useGatehouse } from '../support/gatehouse.js';
import { holdBody } from '../support/held-body.js';
import { OAuthClient } from '../support/oauth-client.js';
import { NOTES, resourcesFile } from '../support/resource-files.js';
import { itWithClock } from '../support/services/describe-with.js';
import { FRESH_MS } from './own-account.js';

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const LINKED = {
  'sec-fetch-site': 'cross-site',
  'sec-fetch-mode': 'navigate',
  'sec-fetch-dest': 'document',
};

interface Connection {
  readonly id: string;
  readonly permissions: Record<string, string>;
  readonly [member: string]: unknown;
}

const secondsOf = (day: string) => Date.parse(`${day}T23:59:59Z`) / 1000;

describe('the page of a connected app (contract: Account page)', () => {
  const gatehouse = useGatehouse(() =>
    startGatehouse({ ...resourcesFile(NOTES), APPROVALS: 'passkey' }),
  );
  let browser: Browser;
  let client: OAuthClient;
  let token: string;
  let path: string;

  const newest = async () =>
    (await browser.get('/svc/me/connections')).json<{ connections: Connection[] }>().connections[0];
  const submit = (fields: object, headers = {}, whose = browser) =>
    whose.post(path, new URLSearchParams({ ...fields }).toString(), { ...FORM, ...headers });
  /** Submits a form, and says what the page says then. */
  const submitted = async (fields: object) => {
    const answer = await submit(fields);
    expect([answer.status, answer.text]).toEqual([302, '']);
    const location = answer.headers.location ?? '';
    expect(location.startsWith(`${path}?message=`)).toBe(true);
    const page = await browser.get(location);
    expect(page.status).toBe(200);
    expect(page.text).toContain('id="message"');
    return location.slice(`${path}?message=`.length);
  };

  beforeEach(async () => {
    browser = new Browser(gatehouse);
    await browser.signUp();
    client = await OAuthClient.register(gatehouse, { client_name: 'App <b>' });
    ({ access_token: token } = await client.connect(browser, ['account:read', 'tabs:write']));
    path = `/svc/account/apps/${(await newest())?.id}`;
  });

  it('shows what the app may do and what it did, escaped, with the headers of the account page', async () => {
    await client.mcp(token, 'tools/call', { name: 'account_status', arguments: {} });
    await eventually(async () => {
      const { text } = await browser.get(path);
      expect(text).toMatch(/<ol class="calls"[^]+Account/i);
    });
    const { status, headers, text } = await browser.get(path);
    expect(status).toBe(200);
    expect(text).toContain('App &lt;b&gt;');
    expect(text).not.toContain('App <b>');
    expect(text).toMatch(/name="permission:tabs:write"\s+value="allow"\s+checked/);
    expect(text).toMatch(/name="permission:code:run"\s+value="off"\s+checked/);
    expect(headers['x-frame-options']).toBe('DENY');
    expect(headers['content-security-policy']).toContain("form-action 'self'; base-uri 'none'");
    expect(headers['cache-control']).toBe('no-store');
    for (const query of ['?tool=run_code', '?before=gone', '?message=no', '?before=&tool=']) {
      expect((await browser.get(path + query)).status).toBe(200);
    }
    expect((await browser.get(`${path}?tool=run_code`)).text).not.toContain('<ol class="calls"');
    expect((await browser.get(`${path}?ui_locales=de`)).headers['content-language']).toBe('de');
  });

  it('401 | the session ends while a form comes, and the app stays connected', async () => {
    const other = browser.at(gatehouse);
    other.cookie = undefined;
    await other.signIn();
    const { 'content-type': type } = FORM;
    const headers = {
      origin: gatehouse.origin,
      'sec-fetch-site': 'same-origin',
      'sec-fetch-mode': 'navigate',
      'sec-fetch-dest': 'document',
    };
    const form = { type, body: 'act=disconnect', headers };
    const held = await holdBody(gatehouse, browser, path, form);
    expect((await other.send('DELETE', '/svc/me/sessions')).status).toBe(204);
    const { status, text } = await held.finish();
    expect([status, text]).toEqual([401, expect.stringContaining('Sign in')]);
    browser.cookie = other.cookie;
    expect(await newest()).toBeDefined();
  });

  it('is for a page load: a frame, a script or a service worker gets a page without anything of it', async () => {
    const others = [
      { 'sec-fetch-dest': 'iframe', 'sec-fetch-site': 'same-origin' },
      { 'sec-fetch-dest': 'empty', 'sec-fetch-site': 'same-origin' },
    ];
    for (const headers of others) {
      const { status, text } = await browser.get(path, headers);
      expect([status, text.includes('<form'), text.includes('permission:')]).toEqual([
        200,
        false,
        false,
      ]);
    }
  });

  it('asks to sign in first; a link from another site opens it signed in', async () => {
    const { status, text } = await new Browser(gatehouse).get(path);
    expect([status, text.includes('id="create-account"')]).toEqual([200, true]);
    expect(text).not.toContain('App &lt;b&gt;');
    expect((await browser.get(path, LINKED)).text).toContain('App &lt;b&gt;');
    const answer = await submit({ act: 'pause' }, {}, new Browser(gatehouse));
    expect([answer.status, answer.text.includes('id="create-account"')]).toEqual([401, true]);
    expect((await newest())?.['paused']).toBe(false);
  });

  it('404 | an id that is unknown, of another account, or of a connection that ended', async () => {
    const eve = new Browser(gatehouse);
    await eve.signUp('Eve');
    const gone = async (whose: Browser) => {
      const answers = [await whose.get(path), await submit({ act: 'pause' }, {}, whose)];
      for (const { text } of answers) expect(text).not.toContain('App &lt;b&gt;');
      return answers.map(({ status }) => status);
    };
    expect(await gone(eve)).toEqual([404, 404]);
    expect((await newest())?.['paused']).toBe(false);
    expect((await submit({ act: 'disconnect' })).headers.location).toBe('/svc/account#apps');
    expect(await gone(browser)).toEqual([404, 404]);
    expect((await client.mcp(token)).status).toBe(401);
    expect(await newest()).toBeUndefined();
  });

  it.each([
    ['another site', { origin: 'https://evil.example' }],
    ['another site, which hides its name', { origin: 'null', 'sec-fetch-site': 'cross-site' }],
    ['a sibling', { 'sec-fetch-site': 'same-site' }],
    ['a script', { 'sec-fetch-dest': 'empty', 'sec-fetch-mode': 'cors' }],
    ['a frame', { 'sec-fetch-dest': 'iframe', 'sec-fetch-mode': 'navigate' }],
  ])('403 | a form that %s sends | nothing changes', async (_who, headers) => {
    for (const act of ['pause', 'disconnect']) {
      const answer = await submit({ act }, headers);
      expect(answer.status).toBe(403);
      expect(answer.headers['content-type']).toMatch(/^text\/plain/);
    }
    expect(await newest()).toMatchObject({ paused: false });
  });

  it('400, 413 and 405 | what is no form, too large, or another method', async () => {
    const json = await browser.post(path, '{"act":"pause"}', {
      'content-type': 'application/json',
    });
    expect(json.status).toBe(400);
    expect((await submit({ act: 'x'.repeat(16_385) })).status).toBe(413);
    const many = Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`x${n}`, '']));
    expect((await submit({ act: 'pause', ...many })).status).toBe(400);
    const other = await browser.send('DELETE', path);
    expect([other.status, other.headers.allow]).toEqual([405, 'GET, POST']);
    expect(await newest()).toMatchObject({ paused: false });
  });

  it('its forms change what the routes change', async () => {
    const permissions = {
      'permission:account:read': 'allow',
      'permission:tabs:read': 'off',
      'permission:tabs:write': 'ask',
      'permission:code:run': 'ask',
    };
    expect(await submitted({ act: 'permissions', ...permissions })).toBe('saved');
    expect(await newest()).toMatchObject({
      mayAsk: false,
      permissions: {
        'account:read': 'allow',
        'tabs:read': 'off',
        'tabs:write': 'ask',
        'code:run': 'ask',
      },
    });
    expect(await submitted({ act: 'permissions', ...permissions, mayAsk: 'on' })).toBe('saved');
    expect((await newest())?.['mayAsk']).toBe(true);
    expect(await submitted({ act: 'pause' })).toBe('saved');
    expect((await newest())?.['pausedBy']).toBe('person');
    expect(await submitted({ act: 'resume' })).toBe('saved');
    expect((await newest())?.['paused']).toBe(false);
    const limits = { act: 'limits', dailyCredits: ' 250 ', endsOn: '2028-02-29' };
    expect(await submitted(limits)).toBe('saved');
    const endsAt = secondsOf('2028-02-29');
    expect(await newest()).toMatchObject({ dailyCredits: 250, endsAt });
    expect((await browser.get(path)).text).toContain('value="2028-02-29"');
    await browser.send('PATCH', `/svc/me/connections/${(await newest())?.id}`, {
      endsAt: endsAt - 5000,
    });
    expect(await submitted({ ...limits, dailyCredits: '' })).toBe('saved');
    expect(await newest()).toMatchObject({ dailyCredits: null, endsAt: endsAt - 5000 });
    expect(await submitted({ act: 'limits', dailyCredits: '0', endsOn: '' })).toBe('saved');
    expect(await newest()).toMatchObject({ dailyCredits: 0, endsAt: null });
  });

  it.each([
    [{ act: 'everything' }, 'refused'],
    [{}, 'refused'],
    [{ act: 'permissions', 'permission:tabs:write': 'maybe' }, 'refused'],
    [{ act: 'permissions', 'permission:notes:read': 'allow' }, 'refused'],
    [{ act: 'limits', dailyCredits: '1000001', endsOn: '' }, 'credits'],
    [{ act: 'limits', dailyCredits: '-1', endsOn: '' }, 'credits'],
    [{ act: 'limits', dailyCredits: 'ten', endsOn: '' }, 'credits'],
    [{ act: 'limits', dailyCredits: '5', endsOn: '2001-01-01' }, 'end'],
    [{ act: 'limits', dailyCredits: '5', endsOn: '2099-01-01' }, 'end'],
    [{ act: 'limits', dailyCredits: '5', endsOn: '2028-02-30x' }, 'end'],
    [{ act: 'limits', dailyCredits: '5', endsOn: '2028-99-99' }, 'end'],
  ])('%j changes nothing: %s', async (fields, message) => {
    const before = await newest();
    expect(await submitted(fields)).toBe(message);
    expect(await newest()).toEqual(before);
  });

  it('of another resource: permissions have no such choice, since it cannot ask', async () => {
    const notes = await OAuthClient.register(gatehouse);
    await notes.connect(browser, ['notes:read'], { resource: NOTES.resource });
    path = `/svc/account/apps/${(await newest())?.id}`;
    const { text } = await browser.get(path);
    expect([text.includes('value="ask"'), text.includes('name="mayAsk"')]).toEqual([false, false]);
    const off = { act: 'permissions', 'permission:notes:read': 'off' };
    expect(await submitted(off)).toBe('saved');
    expect(await newest()).toMatchObject({ mayAsk: true, permissions: { 'notes:read': 'off' } });
    expect(await submitted({ ...off, 'permission:notes:read': 'ask' })).toBe('refused');
  });

  itWithClock(
    'with APPROVALS=passkey a change that lets it do more leads through a sign-in',
    async () => {
      advanceClock(FRESH_MS + 1);
      const wider = { act: 'permissions', 'permission:code:run': 'allow', mayAsk: 'on' };
      expect(await submitted(wider)).toBe('signInAgain');
      expect(await submitted({ act: 'pause' })).toBe('saved');
      expect(await submitted({ act: 'resume' })).toBe('signInAgain');
      await browser.signIn();
      expect(await submitted(wider)).toBe('saved');
    },
  );

  it('an app that is disconnected there is so in the trail', async () => {
    await submit({ act: 'disconnect' });
    const args = ['audit', 'list', '--type', 'app-disconnected', '--client', client.id];
    await eventually(async () => {
      const { items } = await new Admin(gatehouse).json<{ items: object[] }>(...args);
      expect(items).toHaveLength(1);
    });
  });
});

describe('the page of a connected app beyond the changes of a session (contract: Account page)', () => {
  const limits = { RATE_LIMIT_MAX: '8', RATE_LIMIT_PERIOD: '3600' };
  const gatehouse = useGatehouse(() => startGatehouse(limits));

  it('says that there were too many, and changes nothing', async () => {
    const browser = new Browser(gatehouse);
    await browser.signUp();
    const client = await OAuthClient.register(gatehouse);
    await client.connect(browser);
    const { connections } = (await browser.get('/svc/me/connections')).json<{
      connections: Connection[];
    }>();
    const path = `/svc/account/apps/${connections[0]?.id}`;
    const locations = [];
    for (let n = 0; n < 9; n += 1) {
      const { headers } = await browser.post(path, `act=${n % 2 ? 'resume' : 'pause'}`, FORM);
      locations.push(headers.location);
    }
    expect(locations).toEqual([
      ...Array(8).fill(`${path}?message=saved`),
      `${path}?message=tooMany`,
    ]);
  });
});
