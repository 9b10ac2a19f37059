import { eventually } from '#libs/platform/testing';
import { AdminApi, startAdministered } from '../support/admin-api.js';
import { Admin } from '../support/admin.js';
import { Browser } from '../support/browser.js';
import { type Gatehouse, useGatehouse } from '../support/gatehouse.js';
import { OAuthClient, type TokenResponse } from '../support/oauth-client.js';
import { NOTES, resourcesFile } from '../support/resource-files.js';

interface Connection {
  readonly id: string;
  readonly permissions: Record<string, string>;
  readonly [member: string]: unknown;
}

interface Call {
  readonly id: string;
  readonly name: string;
  readonly count: number;
}

interface Page<T> {
  readonly items: readonly T[];
  readonly next: string | null;
}

interface Change {
  readonly permissions?: Record<string, string>;
  readonly mayAsk?: unknown;
  readonly paused?: boolean;
  readonly dailyCredits?: unknown;
  readonly endsAt?: string | null;
}

/** An administrator's way to apps; what is refused rejects with the sentence. */
interface Way {
  show(id: string): Promise<Connection>;
  set(id: string, change: Change): Promise<Connection>;
  calls(id: string, limit: number, after?: string | null): Promise<Page<Call>>;
}

function overHttp(gatehouse: Gatehouse): Way {
  const api = new AdminApi(gatehouse);
  return {
    show: (id) => api.json('GET', `apps/${id}`),
    set: (id, change) => api.json('PATCH', `apps/${id}`, change),
    calls: (id, limit, after) =>
      api.json('GET', `apps/${id}/calls?limit=${limit}${after ? `&after=${after}` : ''}`),
  };
}

function optionsFor({ permissions, mayAsk, paused, dailyCredits, endsAt }: Change) {
  const words = Object.entries(permissions ?? {}).map(([scope, word]) => `${scope}=${word}`);
  return [
    ...(words.length === 0 ? [] : ['--permission', ...words]),
    ...(mayAsk === undefined ? [] : [mayAsk ? '--may-ask' : '--may-not-ask']),
    ...(paused === undefined ? [] : [paused ? '--pause' : '--resume']),
    ...(dailyCredits === undefined ? [] : ['--daily-credits', String(dailyCredits)]),
    ...(endsAt === undefined ? [] : ['--ends-at', String(endsAt)]),
  ];
}

function onCommandLine(gatehouse: Gatehouse): Way {
  const admin = new Admin(gatehouse, [], resourcesFile(NOTES));
  return {
    show: (id) => admin.json('apps', 'show', id),
    set: (id, change) => admin.json('apps', 'set', id, ...optionsFor(change)),
    calls: (id, limit, after) =>
      admin.json(
        'apps',
        'calls',
        id,
        '--limit',
        String(limit),
        ...(after ? ['--after', after] : []),
      ),
  };
}

const DAY_MS = 24 * 60 * 60 * 1000;
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();

describe.each([
  ['over HTTP', overHttp, 'admin-api'],
  ['on the command line', onCommandLine, undefined],
])('apps, %s (contract: Administration)', (_how, wayTo, actor) => {
  const gatehouse = useGatehouse(() => startAdministered(resourcesFile(NOTES)));
  let way: Way;
  let browser: Browser;
  let client: OAuthClient;
  let tokens: TokenResponse;
  let id: string;

  /** As the person has it. */
  const own = async () =>
    (await browser.get(`/svc/me/connections/${id}`)).json<{ connection: Connection }>().connection;
  const ownChange = async (change: object) => {
    const answer = await browser.send('PATCH', `/svc/me/connections/${id}`, change);
    expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
  };
  const call = async (name: string) =>
    (await client.mcp(tokens.access_token, 'tools/call', { name, arguments: {} })).text;
  const runCode = async () => {
    const run = { name: 'run_code', arguments: { code: 'return 1' } };
    return (await client.mcp(tokens.access_token, 'tools/call', run)).text;
  };
  const openRequests = async () =>
    (await browser.get('/svc/me/requests')).json<{ requests: object[] }>().requests.length;
  const connect = async (scopes: string[], params = {}) => {
    client = await OAuthClient.register(gatehouse);
    tokens = await client.connect(browser, scopes, params);
    const { connections } = (await browser.get('/svc/me/connections')).json<{
      connections: Connection[];
    }>();
    id = connections[0]?.id ?? '';
  };

  beforeEach(async () => {
    way = wayTo(gatehouse);
    browser = new Browser(gatehouse);
    await browser.signUp();
    await connect(['account:read', 'tabs:read', 'tabs:write']);
  });

  it('are shown with what their person sees, and times as administration has them', async () => {
    await ownChange({ permissions: { 'tabs:write': 'ask' }, dailyCredits: 9 });
    const { user } = await browser.me();
    const asOwn = await own();
    const iso = (member: string) => new Date(Number(asOwn[member]) * 1000).toISOString();
    const shown = await way.show(id);
    const times = ['createdAt', 'lastUsedAt', 'expiresAt'];
    const inSeconds = Object.fromEntries(
      times.map((member) => [member, `${String(shown[member]).slice(0, 19)}.000Z`]),
    );
    expect({ ...shown, ...inSeconds }).toEqual({
      ...asOwn,
      ...Object.fromEntries(times.map((member) => [member, iso(member)])),
      user: user?.id,
      client: client.id,
    });
    expect(Object.entries(shown.permissions)).toEqual([
      ['account:read', 'allow'],
      ['tabs:read', 'allow'],
      ['tabs:write', 'ask'],
      ['code:run', 'off'],
    ]);
  });

  it('have less by each member, at once and with the tokens that they have', async () => {
    expect(await call('list_tabs')).toContain('"tabs":[]');
    const narrowed = { 'tabs:read': 'off', 'tabs:write': 'ask' };
    expect(await way.set(id, { permissions: narrowed, mayAsk: false })).toMatchObject({
      permissions: { 'account:read': 'allow', ...narrowed, 'code:run': 'off' },
      mayAsk: false,
    });
    expect(await call('list_tabs')).toContain('insufficient_scope');
    await way.set(id, { dailyCredits: 0 });
    await ownChange({ permissions: { 'code:run': 'allow' } });
    expect(await runCode()).toContain('"isError":true');
    const endsAt = inDays(2);
    expect(await way.set(id, { endsAt })).toMatchObject({ endsAt, expiresAt: endsAt });
    expect(await own()).toMatchObject({
      permissions: { ...narrowed, 'code:run': 'allow' },
      mayAsk: false,
      dailyCredits: 0,
      endsAt: Math.floor(Date.parse(endsAt) / 1000),
    });
    await way.set(id, { endsAt: '1h' });
    const inAnHour = Date.now() + 3_600_000;
    const { expiresAt } = await way.show(id);
    expect(Math.abs(Date.parse(String(expiresAt)) - inAnHour)).toBeLessThan(600_000);
  });

  it.each<[string, Change, RegExp]>([
    ['a permission that was off', { permissions: { 'code:run': 'ask' } }, /more.*person/],
    ['a permission to ask', { permissions: { 'tabs:write': 'ask' } }, /more.*person/],
    [
      'a permission among others',
      { permissions: { 'tabs:read': 'off', 'code:run': 'allow' } },
      /more/,
    ],
    ['questions to the person', { mayAsk: true }, /more|false alone|unknown option/],
    ['more credits', { dailyCredits: 6 }, /more.*person/],
    ['credits without a limit', { dailyCredits: null }, /takes a whole number/],
    ['credits below 0', { dailyCredits: -1 }, /takes a whole number|argument missing/],
    ['too many credits', { dailyCredits: 1_000_001 }, /takes a whole number/],
    ['part of a credit', { dailyCredits: 0.5 }, /takes a whole number/],
    ['a later end', { endsAt: '5d' }, /more.*person/],
    ['no end', { endsAt: null }, /takes a time/],
    ['an end in the past', { endsAt: '2020-01-01' }, /takes a time/],
    ['an end beyond ten years', { endsAt: '4000d' }, /takes a time/],
    ['an unknown scope', { permissions: { 'tabs:reed': 'off' } }, /cannot have/],
    ['a scope of another resource', { permissions: { 'notes:read': 'off' } }, /cannot have/],
    ['an unknown word', { permissions: { 'tabs:read': 'maybe' } }, /allow, ask or off/],
  ])('refuse %s, and nothing of the change is done', async (_what, change, sentence) => {
    const permissions = { 'tabs:write': 'off' };
    await ownChange({ permissions, mayAsk: false, dailyCredits: 5 });
    await way.set(id, { endsAt: inDays(4) });
    const before = await way.show(id);
    await expect(way.set(id, { paused: true, ...change })).rejects.toThrow(sentence);
    expect(await way.show(id)).toEqual(before);
  });

  it('take what they have already as no change', async () => {
    const before = await way.show(id);
    const permissions = { 'account:read': 'allow', 'code:run': 'off' };
    expect(await way.set(id, { permissions, paused: false })).toEqual(before);
    expect(await way.set(id, {})).toEqual(before);
  });

  it('refuse ask for a resource that cannot ask', async () => {
    await connect(['notes:read'], { resource: NOTES.resource });
    await expect(way.set(id, { permissions: { 'notes:read': 'ask' } })).rejects.toThrow('asked');
    const permissions = { 'notes:read': 'off' };
    expect(await way.set(id, { permissions })).toMatchObject({
      permissions,
      resource: NOTES.resource,
      resourceName: NOTES.name,
    });
  });

  it('refuse an id that is unknown or of an app that was disconnected', async () => {
    const expectUnknown = async (of: string) => {
      const unknown = 'there is no connected app of that id';
      await expect(way.show(of)).rejects.toThrow(unknown);
      await expect(way.set(of, { paused: true })).rejects.toThrow(unknown);
      await expect(way.calls(of, 5)).rejects.toThrow(unknown);
    };
    await expectUnknown('no-such-id');
    await browser.send('DELETE', `/svc/me/apps/${id}`);
    await expectUnknown(id);
  });

  it('are paused beside their person, and each ends the own pause alone', async () => {
    expect(await way.set(id, { paused: true })).toMatchObject({
      paused: true,
      pausedBy: 'administrator',
    });
    expect(await call('list_tabs')).toContain('"isError":true');
    await ownChange({ paused: true });
    await ownChange({ paused: false });
    expect(await own()).toMatchObject({ paused: true, pausedBy: 'administrator' });
    await ownChange({ paused: true });
    expect(await way.set(id, { paused: false })).toMatchObject({
      paused: true,
      pausedBy: 'person',
    });
    expect(await call('list_tabs')).toContain('"isError":true');
    await ownChange({ paused: false });
    expect(await call('list_tabs')).toContain('"tabs":[]');
  });

  it('end what they asked their person, and the call that waits', async () => {
    await ownChange({ permissions: { 'tabs:read': 'off' } });
    const waiting = call('list_tabs');
    await eventually(async () => expect(await openRequests()).toBe(1));
    await way.set(id, { mayAsk: false });
    expect(await waiting).toContain('"isError":true');
    await ownChange({ mayAsk: true });
    const again = call('list_tabs');
    await eventually(async () => expect(await openRequests()).toBe(1));
    await way.set(id, { paused: true });
    expect(await again).toContain('"isError":true');
    await way.set(id, { paused: false });
    expect(await openRequests()).toBe(0);
  });

  it('have each change in the trail, with who did it, also a pause of a paused one', async () => {
    await ownChange({ paused: true });
    await way.set(id, { paused: true });
    await way.set(id, { permissions: { 'tabs:write': 'ask' }, dailyCredits: 5 });
    await way.set(id, { dailyCredits: 5 });
    const api = new AdminApi(gatehouse);
    await eventually(async () => {
      const { items } = await api.json<
        Page<{ grant: string; actor: string | null; changed: string }>
      >('GET', `audit?type=connection-changed&client=${client.id}`);
      const by = actor ?? expect.any(String);
      expect(items.map((item) => [item.grant, item.actor, item.changed])).toEqual([
        [id, by, 'tabs:write=ask, dailyCredits=5'],
        [id, by, 'pausedByAdministrator=true'],
        [id, null, 'paused=true'],
      ]);
    });
  });

  it('have their calls in pages, the newest first', async () => {
    await ownChange({ permissions: { 'code:run': 'allow' } });
    await call('account_status');
    await call('list_tabs');
    await runCode();
    await eventually(async () => expect((await way.calls(id, 1000)).items).toHaveLength(3));
    const all = await way.calls(id, 3);
    expect(all.next).toBeNull();
    const { calls } = (await browser.get(`/svc/me/connections/${id}/calls`)).json<{
      calls: Call[];
    }>();
    expect(all.items.map((each) => Object.keys(each))).toEqual(
      calls.map((each) => Object.keys(each)),
    );
    expect(all.items.map((each) => each.id)).toEqual(calls.map((each) => each.id));
    const first = await way.calls(id, 2);
    expect(first).toEqual({ items: all.items.slice(0, 2), next: all.items[1]?.id });
    expect(await way.calls(id, 2, first.next)).toEqual({ items: all.items.slice(2), next: null });
    await expect(way.calls(id, 2, 'no-such-id')).rejects.toThrow('no row of that id');
  });
});
