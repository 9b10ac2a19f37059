import type { LinkedPage } from '../accounts.module-definition.js';
import {
  acceptsSessionCookie,
  clearedSessionCookie,
  readSessionCookie,
  sessionCookie,
} from './session-cookie.js';

const OWN = 'https://gate.example';
const AUTHORIZE = '/svc/oauth/authorize';
const ME = '/svc/auth/me';

const LINKED_PAGES: readonly LinkedPage[] = [
  { path: AUTHORIZE, withoutFetchMetadata: true, takesForm: true },
  { path: '/svc/account' },
  { path: '/' },
  { path: '/svc/account/apps/*', takesForm: true },
];

interface Told {
  method?: string;
  path?: string;
  upgrade?: boolean;
  origin?: string;
  referer?: string;
  fetchSite?: string | undefined;
  fetchMode?: string;
  fetchDest?: string;
}

const isAccepted = ({ method = 'GET', path = ME, ...told }: Told) => {
  const headers = {
    ...(told.upgrade ? { upgrade: 'websocket' } : {}),
    origin: told.origin,
    referer: told.referer,
    'sec-fetch-site': told.fetchSite,
    'sec-fetch-mode': told.fetchMode,
    'sec-fetch-dest': told.fetchDest,
  };
  return acceptsSessionCookie(OWN, { method, path, headers }, LINKED_PAGES);
};
const navigation = { path: AUTHORIZE, fetchMode: 'navigate', fetchDest: 'document' };
const foreign = 'https://evil.example/page';

type Row = [string, Told];

const believed: Row[] = [
  ['own origin | any | any', { origin: OWN }],
  ['own origin | cross-site | POST', { origin: OWN, fetchSite: 'cross-site', method: 'POST' }],
  ['own origin | any | upgrade', { origin: OWN, upgrade: true }],
  ['own origin | foreign Referer', { origin: OWN, referer: foreign }],
  [
    'null | same-origin | POST of authorize',
    { ...navigation, origin: 'null', fetchSite: 'same-origin', method: 'POST' },
  ],
  [
    'null | same-origin | POST of a page below a path',
    {
      ...navigation,
      origin: 'null',
      fetchSite: 'same-origin',
      method: 'POST',
      path: '/svc/account/apps/x',
    },
  ],
  ['absent | same-origin | any', { fetchSite: 'same-origin', referer: foreign }],
  ['absent | none | any', { fetchSite: 'none', method: 'POST' }],
  ...['same-site', 'cross-site', 'what-is-this'].flatMap((fetchSite): Row[] => [
    [`absent | ${fetchSite} | GET of authorize, document navigation`, { ...navigation, fetchSite }],
    [
      `absent | ${fetchSite} | HEAD of authorize, document navigation`,
      { ...navigation, fetchSite, method: 'HEAD' },
    ],
  ]),
  ...['/svc/account', '/', '/svc/account/apps/x'].map((path): Row => [
    `absent | cross-site | document navigation to ${path}`,
    { ...navigation, fetchSite: 'cross-site', path },
  ]),
  ['absent | absent | foreign Referer on GET of authorize', { path: AUTHORIZE, referer: foreign }],
  ['absent | absent | own Referer', { referer: `${OWN}/page`, method: 'POST' }],
  ['absent | absent | no Referer (curl, tests)', { method: 'POST' }],
  ['absent | absent | no Referer, upgrade (WebSocket clients)', { upgrade: true }],
];

const ignored: Row[] = [
  ...['/svc/account/apps', '/svc/account/appsx', '/svc/account/x'].map((path): Row => [
    `absent | cross-site | document navigation to ${path}, beside the path of linked pages`,
    { ...navigation, fetchSite: 'cross-site', path },
  ]),
  ['another origin | any', { origin: 'https://evil.example' }],
  ['another origin | same-origin', { origin: 'https://evil.example', fetchSite: 'same-origin' }],
  ['another origin | authorize', { ...navigation, origin: 'https://evil.example' }],
  [
    'another origin | same-origin | POST of authorize',
    {
      ...navigation,
      origin: 'https://evil.example',
      fetchSite: 'same-origin',
      method: 'POST',
    },
  ],
  ['null | same-origin', { origin: 'null', fetchSite: 'same-origin' }],
  ...['none', 'same-site', 'cross-site', 'same-origin, same-origin', '', undefined].map(
    (fetchSite): Row => [
      `null | ${fetchSite} | POST of authorize`,
      { ...navigation, origin: 'null', fetchSite, method: 'POST' },
    ],
  ),
  [
    'null | same-origin | GET of authorize',
    { ...navigation, origin: 'null', fetchSite: 'same-origin' },
  ],
  [
    'null | same-origin | POST of a page without a form',
    { ...navigation, origin: 'null', fetchSite: 'same-origin', method: 'POST', path: '/' },
  ],
  ['own host, another scheme', { origin: 'http://gate.example' }],
  ['own host, another port', { origin: `${OWN}:8443` }],
  ['own origin in another case', { origin: 'https://Gate.example' }],
  ['own origin with a slash', { origin: `${OWN}/` }],
  ['a list that begins with own origin', { origin: `${OWN}, https://evil.example` }],
  ['an empty Origin', { origin: '', fetchSite: 'same-origin' }],
  ...['same-site', 'cross-site', 'what-is-this', ''].flatMap((fetchSite): Row[] => [
    [`absent | ${fetchSite} | POST of authorize`, { ...navigation, fetchSite, method: 'POST' }],
    [`absent | ${fetchSite} | authorize, upgrade`, { ...navigation, fetchSite, upgrade: true }],
    [
      `absent | ${fetchSite} | authorize in a frame`,
      { ...navigation, fetchSite, fetchDest: 'iframe' },
    ],
    [`absent | ${fetchSite} | authorize by fetch`, { ...navigation, fetchSite, fetchMode: 'cors' }],
    [
      `absent | ${fetchSite} | a path below authorize`,
      { ...navigation, fetchSite, path: `${AUTHORIZE}/x` },
    ],
    [`absent | ${fetchSite} | navigation to me`, { ...navigation, fetchSite, path: ME }],
  ]),
  ...['/svc/account', '/'].flatMap((path): Row[] => [
    [
      `absent | cross-site | ${path} in a frame`,
      { ...navigation, fetchSite: 'cross-site', fetchDest: 'iframe', path },
    ],
    [
      `absent | cross-site | POST of ${path}`,
      { ...navigation, fetchSite: 'cross-site', method: 'POST', path },
    ],
    [`absent | absent | foreign Referer on GET of ${path}`, { path, referer: foreign }],
  ]),
  ...['/svc/account/', '/svc/account/recover', '//'].map((path): Row => [
    `absent | cross-site | document navigation to ${path}`,
    { ...navigation, fetchSite: 'cross-site', path },
  ]),
  ['absent | absent | foreign Referer', { referer: foreign }],
  ['absent | absent | unreadable Referer', { referer: 'not a url' }],
  [
    'absent | absent | foreign Referer, POST of authorize',
    { path: AUTHORIZE, referer: foreign, method: 'POST' },
  ],
  [
    'absent | absent | foreign Referer, HEAD of authorize',
    { path: AUTHORIZE, referer: foreign, method: 'HEAD' },
  ],
];

describe('session gate: Origin | Sec-Fetch-Site | request', () => {
  it.each(believed)('believed: %s', (_row, request) => {
    expect(isAccepted(request)).toBe(true);
  });

  it.each(ignored)('not believed: %s', (_row, request) => {
    expect(isAccepted(request)).toBe(false);
  });
});

const TOKEN = 'A'.repeat(43);
const OTHER = 'B'.repeat(43);

describe('session cookie', () => {
  it('is __Host- and Secure on https', () => {
    expect(sessionCookie(TOKEN, true, 60)).toBe(
      `__Host-session=${TOKEN}; Path=/; Max-Age=60; HttpOnly; SameSite=Lax; Secure`,
    );
  });

  it('is plain on loopback http', () => {
    expect(sessionCookie(TOKEN, false, 60)).toBe(
      `session=${TOKEN}; Path=/; Max-Age=60; HttpOnly; SameSite=Lax`,
    );
  });

  it('is cleared with the attributes it was set with', () => {
    expect(clearedSessionCookie(true)).toBe(
      '__Host-session=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax; Secure',
    );
  });

  it.each([
    ['alone', `session=${TOKEN}`],
    ['among others', `a=1; session=${TOKEN}; b=session=2`],
    ['beside names that end alike', `xsession=${OTHER}; session=${TOKEN}; session2=${OTHER}`],
    ['without the space after the semicolon', `a=1;session=${TOKEN}`],
    ['after several spaces and tabs', `a=1; \t session=${TOKEN}`],
  ])('is read %s', (_where, header) => {
    expect(readSessionCookie(header, false)).toBe(TOKEN);
  });

  it.each([
    ['no header', undefined],
    ['another cookie', `sid=${TOKEN}`],
    ['two of the name', `session=${TOKEN}; session=${OTHER}`],
    ['two of the name, one empty', `session=${TOKEN}; session=`],
    ['a quoted value', `session="${TOKEN}"`],
    ['4 KB of anything', `session=${'A'.repeat(4096)}`],
    ['another case', `Session=${TOKEN}`],
    ['a name that begins with a no-break space', `\u00a0session=${TOKEN}`],
    ['a name that begins with a line separator', `\u2028session=${TOKEN}`],
    ['a name with a space in it', `ses sion=${TOKEN}`],
    ['a name with a tab in it', `ses\tsion=${TOKEN}`],
  ])('is not read from %s', (_what, header) => {
    expect(readSessionCookie(header, false)).toBeUndefined();
  });

  it('on https only the __Host- name is read', () => {
    expect(readSessionCookie(`session=${TOKEN}`, true)).toBeUndefined();
    expect(readSessionCookie(`session=${TOKEN}; __Host-session=${OTHER}`, true)).toBe(OTHER);
  });
});
