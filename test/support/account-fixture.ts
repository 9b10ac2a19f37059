import type { Page } from 'playwright-core';
import { BuiltInAccountPages, builtInAccountTexts, builtInPageLanguages } from '#libs/ui-templates';
import type { Chromium } from './chromium.js';
import { creationOptions, requestOptions, startPageServer } from './page-fixture.js';

/** The account of the page. */
export const USER_ID = 'QW5u';
const pages = new BuiltInAccountPages();

/**
 * The account page of a user with that name, and the pages for signed-out visitors; other languages than English are
 * below their tag, as in `/he/svc/account`, and a service with another resource than `/svc/mcp` below `/resources`.
 */
export const startAccountPages = (displayName: string) =>
  startPageServer((origin) => {
    const pagesInEach = builtInAccountTexts.languages.flatMap(({ tag, direction, texts }) => {
      const language = { tag, direction, texts: builtInPageLanguages.in({ tag, direction }) };
      const words = { serviceName: 'Gatehouse', origin, language, texts };
      const prefix = tag === 'en' ? '' : `/${tag}`;
      const user = { id: USER_ID, displayName };
      return [
        [`${prefix}/svc/account`, pages.account({ ...words, user })],
        [`${prefix}/svc/account/recover`, pages.recover({ ...words, userName: displayName })],
        [`${prefix}/signed-out`, pages.signedOut(words)],
      ] as const;
    });
    const context = { serviceName: 'Gatehouse', origin, user: { id: USER_ID, displayName } };
    const withResources = pages.account({ ...context, access: ACCESS });
    return { ...Object.fromEntries(pagesInEach), '/resources/svc/account': withResources };
  });

const ACCESS = {
  scopes: [
    { name: 'account:read', description: 'see your name' },
    { name: 'tabs:write', description: 'use your pages' },
    { name: 'notes:read', description: 'read your notes', resource: 'Notes & more' },
  ],
};

const now = Math.floor(Date.now() / 1000);

export const passkey = (letter: string, more: object = {}) => ({
  id: letter.repeat(22),
  name: null,
  provider: null,
  synced: true,
  createdAt: now - 100_000,
  lastUsedAt: null,
  current: false,
  ...more,
});

export const session = (id: string, more: object = {}) => ({
  id,
  browser: 'Firefox on Windows',
  createdAt: now - 200_000,
  lastSeenAt: now - 400,
  expiresAt: now + 1000,
  current: false,
  ...more,
});

/** A long name, a right-to-left one, and a hostile one. */
export const LONG = 'W'.repeat(40);
export const HOSTILE = '<img src=x onerror=alert(1)>';
export const many = [
  passkey('a', { name: LONG, provider: 'Google Password Manager', current: true }),
  passkey('b', { name: 'מפתח הכספת', synced: false, lastUsedAt: now - 90_000 }),
  passkey('c', { name: HOSTILE, synced: null }),
];

const connection = (id: string, more: object = {}) => ({
  id,
  app: HOSTILE,
  redirectHost: 'notes.example',
  published: null,
  managedBy: null,
  permissions: { 'account:read': 'allow', 'tabs:write': 'ask', 'code:run': 'off' },
  pausedBy: null,
  createdAt: now - 4000,
  lastUsedAt: now - 700,
  ...more,
});
export const connections = [
  connection('1', { pausedBy: 'administrator' }),
  connection('2', { app: 'פתקים', published: 'notes.example' }),
];

const request = (id: string, more: object = {}) => ({
  id,
  app: LONG,
  name: 'place_order',
  title: HOSTILE,
  expiresAt: now + 500,
  ...more,
});
export const requests = [request('1'), request('2', { title: 'place_order' })];

/** The events that need most room, an event whose advice is open from the start, and one of an unknown type. */
export const events = [
  'account-recovered',
  'consent-approved',
  'recovery-codes-created',
  'new',
].map((type, index) => ({
  type,
  at: now - index * 90_000,
  app: LONG,
  browser: 'Firefox on Windows',
}));

/** The answer of `/svc/auth/me` when this account is signed in, or no account. */
export const me = (id: string | null) => ({
  json: {
    user: id === null ? null : { id, displayName: 'Ann' },
    budget: { used: 374, limit: 1000, resetsAt: '2026-11-23T00:00:00.000Z' },
  },
});

interface Answer {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly json: object;
}

type Answers = Record<string, Answer | 'unreachable'>;

/** Fakes the routes that the account page uses, by method and path below `/svc/`. */
async function fakeAccount(page: Page): Promise<Answers> {
  const answers: Answers = {
    'GET auth/me': me(USER_ID),
    'GET me/passkeys': { json: { passkeys: many } },
    'GET me/recovery-codes': { json: { left: 0, createdAt: null } },
    'GET me/connections': { json: { connections: [] } },
    'GET me/requests': { json: { requests: [] } },
    'GET me/activity': { json: { events: [] } },
    'GET me/sessions': {
      json: { sessions: [session('1', { current: true }), session('2', { browser: null })] },
    },
    'POST auth/login/options': { json: requestOptions },
    'POST auth/register/options': { json: creationOptions },
  };
  await page.route(/\/svc\/(me|auth)(\/|$)/, async (route) => {
    const { pathname } = new URL(route.request().url());
    const answer = answers[`${route.request().method()} ${pathname.slice('/svc/'.length)}`];
    if (answer === undefined || answer === 'unreachable') return route.abort();
    const { status = 200, headers = {}, json } = answer;
    return route.fulfill({ status, headers, json });
  });
  return answers;
}

/** Records what the page signals to passkey managers, in order. Call this before the page is opened. */
async function recordSignals(page: Page) {
  await page.addInitScript(`
    globalThis.signals = [];
    const record = (kind) => async (details) => void signals.push([kind, details]);
    PublicKeyCredential.signalAllAcceptedCredentials = record('all');
    PublicKeyCredential.signalCurrentUserDetails = record('user');
    PublicKeyCredential.signalUnknownCredential = record('unknown');`);
  return () => page.evaluate<readonly [string, object][]>('globalThis.signals');
}

/** A page that has not navigated yet, with its fake answers and recorded signals. */
export async function openStage(chromium: Chromium) {
  const page = await chromium.openPage();
  return { page, answers: await fakeAccount(page), signals: await recordSignals(page) };
}
