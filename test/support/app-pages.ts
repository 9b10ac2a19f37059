import {
  appGonePage,
  appPage,
  type AppPageContext,
  builtInPageLanguages,
  type ConnectionView,
  openInTabPage,
  type RequestContext,
  requestGonePage,
  requestPage,
  type RequestView,
} from '#libs/ui-templates';
import { startPageServer } from './page-fixture.js';

export const NOW = 1_795_000_000;
const DAY = 86_400;
/** Text that would be markup, that hides a word, and that turns the order of what follows. */
export const HOSTILE = '<img src=x onerror=alert(1)> pay\u200b\u{e0041} \u202e00.1 \u202c';

const WORDS = new Map([
  [
    'de',
    [
      'Ihren Namen und Ihre täglichen Credits sehen',
      'die Werkzeuge Ihrer offenen Seiten benutzen und ihnen Nachrichten senden',
      'Code für Sie ausführen, mit Ihren täglichen Credits',
    ],
  ],
  [
    'he',
    [
      'לראות את השם ואת הקרדיטים היומיים שלך',
      'להשתמש בכלים של הדפים הפתוחים שלך ולשלוח אליהם הודעות',
      'להריץ עבורך קוד, באמצעות הקרדיטים היומיים שלך',
    ],
  ],
]);
const wordsIn = (tag: string) =>
  WORDS.get(tag) ?? [
    'see your name and daily credits',
    'use tools on your open pages and send messages to them',
    'run code for you, using your daily credits',
  ];

const site = (origin: string, tag: string) => ({
  serviceName: 'Gatehouse',
  origin,
  language: builtInPageLanguages.choose([tag]),
});

const connection = (tag: string): ConnectionView => {
  const [read = '', write = '', run = ''] = wordsIn(tag);
  return {
    id: 'grant1',
    app: 'Claude',
    redirectHost: 'claude.ai',
    published: 'claude.ai',
    resource: 'https://gate.example/svc/mcp',
    resourceName: 'Gatehouse',
    managedBy: null,
    permissions: [
      { scope: 'account:read', description: read, permission: 'allow', isOffered: true },
      { scope: 'tabs:write', description: write, permission: 'ask', isOffered: true },
      { scope: 'code:run', description: run, permission: 'off', isOffered: true },
    ],
    canAsk: true,
    mayAsk: true,
    pausedBy: null,
    dailyCredits: 250,
    usedToday: 37,
    endsAt: null,
    createdAt: NOW - 40 * DAY,
    lastUsedAt: NOW - 600,
    expiresAt: NOW + 30 * DAY,
    isEndFixed: false,
  };
};

const call = (id: string, more: object = {}) => ({
  id,
  at: NOW - 900,
  lastAt: NOW - 600,
  count: 1,
  name: 'list_tabs',
  title: 'List open pages',
  page: null,
  outcome: 'done',
  credits: 0,
  approved: null,
  ...more,
});
const calls: AppPageContext['calls'] = {
  calls: [
    call('1', {
      name: 'page_order',
      title: 'Place an order',
      page: { host: 'shop.example', title: 'Acme Shop' },
      approved: 'passkey',
    }),
    call('2', { count: 12 }),
    call('3', { name: 'run_code', title: null, outcome: 'failed', credits: 3 }),
    call('4', { title: HOSTILE, outcome: 'new' }),
    call('5', { name: null, title: null, outcome: null, count: 40 }),
  ],
  next: 'older',
  before: 'newer',
  days: Array.from({ length: 30 }, (_, n) => ({
    day: new Date((NOW - (29 - n) * DAY) * 1000).toISOString().slice(0, 10),
    calls: (n * 7) % 11,
  })),
};

const request: RequestView = {
  id: 'request1',
  connection: 'grant1',
  app: 'Claude',
  published: 'claude.ai',
  kind: 'call',
  method: 'tools/call',
  name: 'page_place_order',
  title: 'Place an order',
  page: { title: 'Acme Shop', url: 'https://shop.example/cart?user=7' },
  arguments: {
    article: 'Blue kettle, 1.7 l',
    amount: 2,
    gift: true,
    note: HOSTILE,
    address: { street: 'Long Street 1', city: 'Springfield' },
    voucher: '',
  },
  truncated: false,
  passkey: false,
  expiresAt: NOW + 530,
  state: 'open',
};

/** By path below that of a language, such as `/en/svc/account/apps/grant1`. */
export const pagesInLanguage = (origin: string, tag: string) => {
  const words = site(origin, tag);
  const [, permission = ''] = wordsIn(tag);
  const app = (more: Partial<ConnectionView> = {}, rest: Partial<AppPageContext> = {}) =>
    appPage({ ...words, connection: { ...connection(tag), ...more }, calls, ...rest });
  const asks = (more: Partial<RequestView> = {}, rest: Partial<RequestContext> = {}) =>
    requestPage({
      ...words,
      userName: 'Ann',
      request: { ...request, ...more },
      permission,
      canAllowAlways: true,
      now: NOW,
      ...rest,
    });
  const [read, write, run] = connection(tag).permissions;
  const given = [read, write, { ...run, isOffered: false }] as ConnectionView['permissions'];
  const none = { calls: [], next: null, days: [] };
  return {
    '/app': app(),
    '/app-paused': app(
      { pausedBy: 'person', endsAt: NOW + 90 * DAY, isEndFixed: true },
      { message: 'saved' },
    ),
    '/app-stopped': app(
      { pausedBy: 'administrator', published: null },
      { calls: none, message: 'signInAgain' },
    ),
    '/app-managed': app({
      managedBy: 'Acme Inc.',
      permissions: given,
      published: null,
      redirectHost: null,
    }),
    '/app-other': app({
      canAsk: false,
      resourceName: 'Lists',
      resource: 'https://lists.example/mcp',
    }),
    '/app-gone': appGonePage(words),
    '/request': asks(),
    '/request-permission': asks({ kind: 'permission', page: null, published: null, arguments: {} }),
    '/request-passkey': asks({ passkey: true }, { canAllowAlways: false }),
    '/request-long': asks(
      { arguments: `{"text":"${'w'.repeat(3000)}${HOSTILE}`, truncated: true },
      { isLate: true },
    ),
    ...Object.fromEntries(
      (['once', 'always', 'no', 'expired'] as const).map((state) => [
        `/request-${state}`,
        asks({ state, arguments: null }, { isLate: state === 'no' }),
      ]),
    ),
    '/request-gone': requestGonePage(words),
    '/request-in-frame': openInTabPage({ ...words, link: '/svc/account/requests/request1' }),
  };
};

export const PATHS = Object.keys(pagesInLanguage('http://localhost', 'en'));

export const startAppPages = () =>
  startPageServer((origin) =>
    Object.fromEntries(
      ['en', 'de', 'he'].flatMap((tag) =>
        Object.entries(pagesInLanguage(origin, tag)).map(([path, one]) => [`/${tag}${path}`, one]),
      ),
    ),
  );
