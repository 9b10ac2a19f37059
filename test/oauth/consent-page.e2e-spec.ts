import { Browser } from '../support/browser.js';
import { startGatehouse, useGatehouse } from '../support/gatehouse.js';
import type { Answer } from '../support/http.js';
import { OAuthClient } from '../support/oauth-client.js';

const HOSTILE = `</title></style></script>"'><img src=x onerror=alert(1)> &amp; {user}`;

const STATES = [
  'a b+c %20% = __proto__',
  '&code=evil&iss=https://evil.example#x',
  '"<>\'\\`',
  '\u00e9\u{1f600}\u202e',
  '\t\u0001line\r\nSet-Cookie: x=y',
  'x'.repeat(4000),
];

describe('the consent page (contract: Authorization page)', () => {
  const gatehouse = useGatehouse();
  let browser: Browser;
  let client: OAuthClient;

  beforeEach(async () => {
    browser = new Browser(gatehouse);
    await browser.signUp('Ann');
    client = await OAuthClient.register(gatehouse);
  });

  /** The tags of a page with all their attributes, without random values. */
  const markupOf = ({ status, text }: Answer) => {
    expect(status).toBe(200);
    const [markup = '', script = ''] = text.split(/(?<=<script nonce="[^"]+">)/);
    expect(script.match(/<\/?script/gi)).toEqual(['</script']);
    return markup.replaceAll(/(nonce|value)="[\w-]{20,}"/g, '$1').match(/<[^>]*>/g);
  };

  it('names are text, of apps and of people', async () => {
    const app = await OAuthClient.register(gatehouse, { client_name: HOSTILE });
    const person = new Browser(gatehouse);
    await person.signUp(HOSTILE.slice(0, 40));
    expect(markupOf(await person.get(app.authorizePath()))).toEqual(
      markupOf(await browser.get(client.authorizePath())),
    );
    const signedOut = new Browser(gatehouse);
    expect(markupOf(await signedOut.get(app.authorizePath()))).toEqual(
      markupOf(await signedOut.get(client.authorizePath())),
    );
    await app.connect(person);
    const { apps } = (await person.get('/svc/me/apps')).json<{ apps: { app: string }[] }>();
    expect(apps.map(({ app: shown }) => shown)).toEqual([HOSTILE]);
  });

  it('state and scope never get into the page', async () => {
    const page = await browser.get(client.authorizePath({ state: HOSTILE, scope: HOSTILE }));
    const harmless = await browser.get(client.authorizePath());
    expect(markupOf(page)).toEqual(markupOf(harmless));
  });

  it('leads to the account page, to disconnect the app again', async () => {
    const { text } = await browser.get(client.authorizePath());
    expect(text).toContain('<a href="/svc/account#apps">your account page</a>');
  });

  it.each(STATES)('state %# comes back byte for byte', async (state) => {
    const handles = [
      await client.showConsent(browser, { state }),
      await client.showConsent(browser, { state }),
    ] as const;
    const answers = [
      await client.answerConsent(browser, handles[0], ['account:read']),
      await client.answerConsent(browser, handles[1], [], 'deny'),
      await browser.get(client.authorizePath({ state, code_challenge: undefined })),
    ];
    for (const { status, headers } of answers) {
      expect(status).toBe(302);
      expect(headers.location).toMatch(/^[!-~]+$/);
      const query = new URL(headers.location ?? '').searchParams;
      expect(query.getAll('state')).toEqual([state]);
      expect(query.getAll('iss')).toEqual([gatehouse.origin]);
      expect(headers['set-cookie']).toBeUndefined();
    }
  });

  it('a redirect URI keeps its own query, and loses nothing of it', async () => {
    const uri = 'https://app.example/cb?tenant=a%20b&x=%2F&code=own';
    const app = await OAuthClient.register(gatehouse, { redirect_uris: [uri] });
    const handle = await app.showConsent(browser);
    const { headers } = await app.answerConsent(browser, handle, ['account:read']);
    expect(headers.location?.startsWith(`${uri}&`)).toBe(true);
  });

  it('a host of the web has no warning, loopback has one, signed in or out', async () => {
    const web = await OAuthClient.register(gatehouse, {
      redirect_uris: ['https://app.example/cb'],
    });
    for (const whose of [browser, new Browser(gatehouse)]) {
      const [there, here] = [
        await whose.get(web.authorizePath()),
        await whose.get(client.authorizePath()),
      ];
      expect(there.text).toContain('app.example');
      expect(there.text).not.toContain('id="loopback"');
      expect(here.text).toContain('127.0.0.1:5555');
      expect(here.text).toContain('id="loopback"');
      for (const { text } of [there, here]) expect(text).toContain('Name unverified');
    }
  });

  it('what an app may do is said in words, and nothing is “not requested” of one that asked for nothing', async () => {
    const sentences = [
      'see your name and daily credits',
      'see the titles and addresses of your open pages',
      'use tools on your open pages and send messages to them',
      'run code for you, using your daily credits',
    ];
    const silent = await browser.get(client.authorizePath());
    const asking = await browser.get(client.authorizePath({ scope: 'tabs:read' }));
    for (const sentence of sentences) {
      for (const { text } of [silent, asking]) expect(text).toContain(`>${sentence}<`);
    }
    expect(silent.text).not.toContain('· not requested');
    expect(asking.text.match(/· not requested/g)).toHaveLength(3);
  });

  it('an app that was approved before is asked about again', async () => {
    await client.connect(browser);
    expect((await browser.get(client.authorizePath())).text).toContain('name="handle"');
  });

  it('the page loads nothing from anywhere, no logo either', async () => {
    const app = await OAuthClient.register(gatehouse, { logo_uri: 'https://logo.example/x.svg' });
    const { text } = await browser.get(app.authorizePath());
    expect(text).not.toMatch(/\s(src|srcset|background)=|@import|url\(|<link|logo\.example/i);
  });

  it('a cookie that is not believed: the sign-in page', async () => {
    const headers = { origin: 'https://evil.example' };
    const page = await browser.get(client.authorizePath(), headers);
    expect([page.status, page.text.includes('name="handle"')]).toEqual([200, false]);
  });

  it('shown by one replica, answered at another, once', async () => {
    const replica = await startGatehouse({}, gatehouse);
    try {
      const there = { browser: browser.at(replica), client: client.at(replica) };
      const handle = await client.showConsent(browser);
      const answers = await Promise.all(
        Array.from({ length: 32 }, (_, n) =>
          client.answerConsent(n % 2 ? browser : there.browser, handle, ['account:read']),
        ),
      );
      const statuses = answers.map(({ status }) => status).toSorted();
      expect(statuses).toEqual([302, ...Array(31).fill(400)]);
      const winner = answers.find(({ status }) => status === 302);
      const code = new URL(winner?.headers.location ?? '').searchParams.get('code') ?? '';
      expect((await there.client.exchange(code)).status).toBe(200);
    } finally {
      await replica.stop();
    }
  });
});
