import { builtInPageLanguages } from '../texts/languages.js';
import {
  appGonePage,
  appPage,
  type AppPageContext,
  type AppPageMessage,
  type ConnectionView,
} from './app-page.js';

const HOSTILE = `</script><img src=x onerror="alert(1)">`;
const DAY = 86_400;
const NOW = 1_795_000_000;
const site = { serviceName: 'Gatehouse', origin: 'https://gate.example' };
const permission = (scope: string, word: 'allow' | 'ask' | 'off', isOffered = true) => ({
  scope,
  description: `do ${scope}`,
  permission: word,
  isOffered,
});
const connection: ConnectionView = {
  id: 'grant/1',
  app: 'Claude',
  redirectHost: 'claude.example',
  published: null,
  resource: 'https://gate.example/svc/mcp',
  resourceName: 'Gatehouse',
  managedBy: null,
  permissions: [permission('account:read', 'allow'), permission('tabs:write', 'ask')],
  canAsk: true,
  mayAsk: true,
  pausedBy: null,
  dailyCredits: 250,
  usedToday: 1,
  endsAt: NOW + DAY,
  createdAt: NOW - 40 * DAY,
  lastUsedAt: NOW,
  expiresAt: NOW + DAY,
  isEndFixed: true,
};
const call = {
  id: '1',
  at: NOW - 900,
  lastAt: NOW - 600,
  count: 1,
  name: 'page_order',
  title: 'Place an order',
  page: { host: 'shop.example', title: 'Acme Shop' },
  outcome: 'done',
  credits: 0,
  approved: null,
} as const;
const calls: AppPageContext['calls'] = {
  calls: [call],
  next: null,
  days: [],
};
const shown = (changes: Partial<ConnectionView> = {}, more: Partial<AppPageContext> = {}) => {
  const { html } = appPage({ ...site, connection: { ...connection, ...changes }, calls, ...more });
  return html.slice(html.indexOf('<main>'), html.indexOf('</main>'));
};
const withCalls = (changes: Partial<AppPageContext['calls']>) =>
  shown({}, { calls: { ...calls, ...changes } });
const radios = (markup: string) =>
  [...markup.matchAll(/name="permission:(\S+)"\s+value="(\w+)"\s+(checked)?/g)].map(
    ([, scope, word, checked]) => `${scope} ${word}${checked ? '!' : ''}`,
  );
const acts = (markup: string) =>
  [...markup.matchAll(/name="act" value="(\w+)"/g)].map(([, act]) => act);

describe('the page of an app', () => {
  it('is all forms that post to its own address, with what they do', () => {
    const markup = shown();
    expect(acts(markup)).toEqual(['permissions', 'pause', 'limits', 'disconnect']);
    const actions = [...markup.matchAll(/<form method="POST" action="([^"]+)"/g)];
    expect(actions.map(([, action]) => action)).toEqual(
      Array<string>(4).fill('/svc/account/apps/grant%2F1'),
    );
  });

  it('has a choice of three for each permission, in words, as it is now', () => {
    const markup = shown();
    expect(radios(markup)).toEqual([
      'account:read allow!',
      'account:read ask',
      'account:read off',
      'tabs:write allow',
      'tabs:write ask!',
      'tabs:write off',
    ]);
    expect(markup).toMatch(/<legend>\s*<span class="description">do tabs:write<\/span>/);
    expect(markup).toMatch(/name="mayAsk"\s+value="on"\s+checked/);
    expect(shown({ mayAsk: false })).toMatch(/name="mayAsk"\s+value="on"\s*\/>/);
  });

  it('has a choice of two where the person cannot be asked', () => {
    const markup = shown({ canAsk: false, permissions: [permission('lists:read', 'off')] });
    expect(radios(markup)).toEqual(['lists:read allow', 'lists:read off!']);
    expect(markup).not.toContain('mayAsk');
  });

  it('offers no choice of what the issuer does not give', () => {
    const permissions = [permission('a', 'allow'), permission('b', 'off', false)];
    const markup = shown({ managedBy: 'Acme', permissions });
    expect(radios(markup)).toEqual(['a allow!', 'a ask', 'a off']);
    expect(markup).toMatch(/do b<\/span>\s*<p class="quiet">\s*Not given by <bdi>Acme<\/bdi>/);
    expect(markup).toContain('<bdi>Acme</bdi> can connect it again');
  });

  it.each([
    [null, 'pause', 'While it&#8217;s paused'],
    ['person', 'resume', 'While it&#8217;s paused'],
    ['administrator', undefined, 'Only an administrator can resume it'],
  ] as const)('paused by %s', (pausedBy, act, words) => {
    const markup = shown({ pausedBy });
    expect(acts(markup).filter((one) => one === 'pause' || one === 'resume')).toEqual(
      act === undefined ? [] : [act],
    );
    expect(markup).toContain(words);
    const isFirst = markup.indexOf('id="pause"') < markup.indexOf('id="permissions"');
    expect(isFirst).toBe(pausedBy !== null);
  });

  it.each([
    [{ published: 'claude.ai' }, 'Published by'],
    [{}, '<strong>Name unverified</strong>'],
    [{}, '<strong><bdi>claude.example</bdi></strong>'],
    [{ redirectHost: null }, 'an app on your device'],
    [{}, 'datetime="2026-11-18T'],
    [{ isEndFixed: false }, 'unless the app is used before then'],
  ] as const)('says what it is: %j', (changes, words) => {
    expect(shown(changes)).toContain(words);
  });

  it('has its limits as they are, and empty for none', () => {
    const markup = shown();
    expect(markup).toMatch(/name="dailyCredits"[^>]*value="250"/);
    expect(markup).toMatch(/name="endsOn"[^>]*value="2026-11-19"/);
    expect(markup).toContain('1 credit used today.');
    const without = shown({ dailyCredits: null, endsAt: null });
    expect(without).toMatch(/name="dailyCredits"[^>]*value=""/);
    expect(without).toMatch(/name="endsOn"[^>]*value=""/);
    expect(shown({ dailyCredits: 0 })).toMatch(/name="dailyCredits"[^>]*value="0"/);
  });

  it('lists what it did, how it ended, and what the person allowed', () => {
    const rows = [
      { ...call, approved: 'passkey', credits: 2 },
      { ...call, id: '2', title: null, page: null, count: 12, outcome: 'refused' },
      { ...call, id: '3', outcome: 'new' },
      { ...call, id: '4', name: null, title: null, outcome: null, page: null, count: 40 },
    ] as const;
    const markup = withCalls({ calls: rows });
    for (const words of [
      '<bdi>Place an order</bdi></strong> <span class="quiet"><bdi>shop.example</bdi>',
      'Done · <time',
      '· 2 credits · you allowed it with your passkey',
      '<bdi>page_order</bdi></strong></p>',
      'Refused · 12× · <time',
      '<bdi>new</bdi> · <time',
      '<strong>Other actions</strong></p> <p class="quiet">40× · ',
    ]) {
      expect(markup.replaceAll(/\s+/g, ' ')).toContain(words);
    }
  });

  it('filters by tool and turns pages, with a GET', () => {
    const markup = withCalls({ tool: HOSTILE, next: 'a&b', before: 'c', calls: [] });
    expect(markup).toMatch(/<form class="filter" method="GET"/);
    expect(markup).toMatch(/<option\s+value="&lt;\/script&gt;[^>]*selected/);
    const tool = new URLSearchParams({ tool: HOSTILE });
    const escaped = `/svc/account/apps/grant%2F1?${tool}`;
    expect(markup).toContain(`href="${escaped}#calls"`);
    expect(markup).toContain(`href="${escaped}&amp;before=a%26b#calls"`);
    expect(markup).toContain('Nothing yet.');
    expect(withCalls({})).not.toMatch(/class="filter"|rel="next"/);
    const other = { ...call, name: 'list_tabs' };
    const options = withCalls({ calls: [call, other, call] }).match(/<option value="\w*"/g);
    expect(options).toEqual(
      ['', 'page_order', 'list_tabs'].map((name) => `<option value="${name}"`),
    );
  });

  it('has 30 days as bars, and as a table of the days with calls', () => {
    const days = Array.from({ length: 30 }, (_, n) => ({
      day: `2026-10-${String(n + 1).padStart(2, '0')}`,
      calls: n === 3 ? 5 : n === 4 ? 1000 : 0,
    }));
    const markup = withCalls({ days });
    expect(markup.match(/<rect /g)).toHaveLength(30);
    expect(markup).toContain('1,005 actions in the last 30 days');
    expect(markup).toMatch(/<svg[^>]*aria-hidden="true"/);
    const table = /<table>[^]*<\/table>/.exec(markup)?.[0] ?? '';
    expect(table.match(/<th scope="row">[^<]+<\/th>\s*<td>[\d,]+<\/td>/g)).toHaveLength(2);
    expect(table).toContain('Oct 4, 2026');
    // A day with few calls has a bar that can be seen.
    expect(markup).toContain('x="31" y="58" width="8" height="2"');
    expect(withCalls({ days: days.slice(5) })).not.toContain('<svg');
  });

  it('asks once more before it disconnects', () => {
    const [before = '', inside = ''] = shown().split('<details');
    expect(before).not.toContain('value="disconnect"');
    expect(inside.indexOf('lose access')).toBeLessThan(inside.indexOf('value="disconnect"'));
  });

  it('says what became of a change, and leads through a fresh sign-in', () => {
    expect(shown()).not.toContain('id="message"');
    const messages = Object.keys(builtInPageLanguages.fallback.texts.appPage.messages);
    for (const message of messages as AppPageMessage[]) {
      const markup = shown({}, { message });
      expect(markup).toContain('id="message" tabindex="-1" autofocus');
      expect(markup.includes('id="sign-in"')).toBe(message === 'signInAgain');
    }
  });

  it('escapes what others chose', () => {
    const hostile = { app: HOSTILE, published: HOSTILE, resourceName: HOSTILE, managedBy: HOSTILE };
    const permissions = [{ ...permission(HOSTILE, 'off'), description: HOSTILE }];
    const row = { ...call, title: HOSTILE, page: { host: HOSTILE, title: '' }, outcome: HOSTILE };
    const { html } = appPage({
      ...site,
      connection: { ...connection, ...hostile, permissions },
      calls: { ...calls, calls: [row] },
    });
    expect(html).not.toContain('<img');
  });

  it.each(['en', 'de', 'he'])('has no gap in %s', (tag) => {
    const language = builtInPageLanguages.choose([tag]);
    expect(shown({ managedBy: 'Acme' }, { language })).not.toMatch(/\{\w+\}/);
  });
});

describe('the page of an app that is not connected', () => {
  it('is 404 and has nothing to change', () => {
    const { status, html } = appGonePage(site);
    expect(status).toBe(404);
    expect(html).not.toMatch(/<form|<button|<script/);
  });
});
