import { Browser } from '../support/browser.js';
import { startGatehouse, useGatehouse } from '../support/gatehouse.js';
import { ProxiedBrowser } from '../support/proxied-browser.js';

const ME = '/svc/auth/me';
const LOGIN_OPTIONS = '/svc/auth/login/options';
const GATE = 'https://gate.example';
const OTHER = 'https://gate.example:8443';
const LOCAL = 'http://localhost:4000';

describe('PUBLIC_ORIGINS behind a trusted proxy (contract: Origin)', () => {
  const gatehouse = useGatehouse(() =>
    startGatehouse({
      PUBLIC_ORIGINS: [GATE, OTHER, LOCAL].join(','),
      TRUSTED_PROXIES: 'loopback',
    }),
  );
  let browser: Browser;

  const at = (origin: string) => new ProxiedBrowser(gatehouse, origin, browser.authenticator);

  beforeEach(() => {
    browser = new ProxiedBrowser(gatehouse, GATE);
  });

  it('serves the listed origins, each as a relying party of its own', async () => {
    const options = await Promise.all([GATE, OTHER, LOCAL].map((o) => at(o).requestOptions()));
    expect(options.map(({ rpId }) => rpId)).toEqual(['gate.example', 'gate.example', 'localhost']);
    expect((await browser.creationOptions()).rp.id).toBe('gate.example');
  });

  it.each([
    'https://evil.example',
    'https://gate.example:444',
    'https://sub.gate.example',
    'http://localhost:4001',
    'https://localhost:4000',
  ])('421 at %s', async (origin) => {
    const answers = await Promise.all([at(origin).get(ME), at(origin).post(LOGIN_OPTIONS, {})]);
    expect(answers.map(({ status }) => status)).toEqual([421, 421]);
  });

  it.each<[string, Record<string, string | string[]>]>([
    ['X-Forwarded-Proto: http', { 'x-forwarded-proto': 'http' }],
    ['no X-Forwarded-Proto', { 'x-forwarded-proto': [] }],
    [
      'nothing forwarded',
      { 'x-forwarded-proto': [], 'x-forwarded-host': [], host: 'gate.example' },
    ],
  ])('421 for plain http on a listed https host: %s', async (_how, headers) => {
    const answer = await browser.send('GET', ME, undefined, headers);
    expect(answer.status).toBe(421);
    expect(answer.text).not.toContain('gate.example');
  });

  it.each(['ftp', ''])('never takes "%s" for https', async (scheme) => {
    const answer = await browser.get(ME, { 'x-forwarded-proto': scheme });
    expect([400, 421]).toContain(answer.status);
  });

  it.each([',', 'a@gate.example'])('400 for the malformed X-Forwarded-Host "%s"', async (host) => {
    const answer = await browser.agent.get(ME).set({ 'x-forwarded-host': host }).expect(400);
    expect(answer.text).not.toContain('example');
  });

  it('takes Host where the proxy passes it on and forwards the scheme only', async () => {
    const headers = { host: 'gate.example', 'x-forwarded-host': [] };
    expect((await browser.send('GET', ME, undefined, headers)).status).toBe(200);
  });

  it('checks Origin against the forwarded origin', async () => {
    const post = async (origin: string) =>
      (await browser.post(LOGIN_OPTIONS, {}, { origin })).status;
    const foreign = [OTHER, LOCAL, 'http://gate.example', `http://127.0.0.1:${gatehouse.port}`];
    expect(await post(GATE)).toBe(200);
    expect(await Promise.all(foreign.map(post))).toEqual([403, 403, 403, 403]);
  });

  describe('on https', () => {
    const attributes = (cookie = '') => cookie.split('; ').slice(1).toSorted();

    it('the cookie is __Host-session and Secure', async () => {
      const answer = await browser.signUp();
      const [cookie, ...more] = answer.headers['set-cookie'] ?? [];
      expect(more).toEqual([]);
      expect(cookie).toMatch(/^__Host-session=[A-Za-z0-9_-]{43};/);
      expect(attributes(cookie)).toEqual([
        'HttpOnly',
        `Max-Age=${30 * 24 * 60 * 60}`,
        'Path=/',
        'SameSite=Lax',
        'Secure',
      ]);
      expect((await browser.me()).user).toMatchObject({ displayName: 'Ann' });
    });

    it('logout clears it with the same attributes', async () => {
      await browser.signUp();
      const answer = await browser.post('/svc/auth/logout');
      const [cookie] = answer.headers['set-cookie'] ?? [];
      expect(cookie).toMatch(/^__Host-session=;/);
      expect(attributes(cookie)).toEqual([
        'HttpOnly',
        'Max-Age=0',
        'Path=/',
        'SameSite=Lax',
        'Secure',
      ]);
    });

    it('a cookie named `session` is not read', async () => {
      await browser.signUp();
      const token = browser.cookie?.split('=')[1] ?? '';
      browser.cookie = `session=${token}`;
      expect((await browser.me()).user).toBeNull();
      browser.cookie = `session=${'x'.repeat(43)}; __Host-session=${token}`;
      expect((await browser.me()).user).not.toBeNull();
    });

    it('signs in again', async () => {
      const { user } = (await browser.signUp()).json();
      browser.cookie = undefined;
      expect((await browser.signIn()).json()).toEqual({ user });
    });
  });

  it('on a listed http origin the cookie is `session`, and __Host-session is not read', async () => {
    const local = at(LOCAL);
    const answer = await local.signUp();
    const [cookie] = answer.headers['set-cookie'] ?? [];
    expect(cookie).toMatch(/^session=[A-Za-z0-9_-]{43};/);
    expect(cookie).not.toContain('Secure');
    local.cookie = `__Host-${local.cookie}`;
    expect((await local.me()).user).toBeNull();
  });
});

it('without PUBLIC_ORIGINS https on loopback is 421, trusted proxy or not', async () => {
  const gatehouse = await startGatehouse({ TRUSTED_PROXIES: 'loopback' });
  try {
    const browser = new Browser(gatehouse);
    await browser.agent.get(ME).set({ 'x-forwarded-proto': 'https' }).expect(421);
    await browser.agent.get(ME).set({ 'x-forwarded-proto': 'http' }).expect(200);
    await browser.agent.get(ME).set({ 'x-forwarded-host': 'evil.example' }).expect(421);
  } finally {
    await gatehouse.stop();
  }
});

it('with PUBLIC_ORIGINS and without TRUSTED_PROXIES no request can claim https', async () => {
  const gatehouse = await startGatehouse({ PUBLIC_ORIGINS: GATE });
  try {
    const browser = new ProxiedBrowser(gatehouse, GATE);
    await browser.agent.get(ME).expect(421);
    await browser.agent.get(ME).set({ host: 'gate.example' }).expect(421);
  } finally {
    await gatehouse.stop();
  }
});

describe.each<[string, Record<string, string>]>([
  ['without TRUSTED_PROXIES', {}],
  ['when the peer is not among TRUSTED_PROXIES', { TRUSTED_PROXIES: '192.0.2.1,2001:db8::/32' }],
])('forwarded headers change nothing %s', (_when, variables) => {
  const gatehouse = useGatehouse(() => startGatehouse(variables));
  let browser: Browser;

  const forged = {
    'x-forwarded-proto': 'https',
    'x-forwarded-host': 'a.localhost',
    'x-forwarded-port': '443',
    forwarded: 'for=192.0.2.7;host=a.localhost;proto=https',
    'x-original-host': 'a.localhost',
  };

  beforeEach(() => {
    browser = new Browser(gatehouse);
  });

  it('the relying party stays that of Host', async () => {
    const login = await browser.post(LOGIN_OPTIONS, {}, forged);
    expect(login.json()['rpId']).toBe('localhost');
    const fields = { displayName: 'Ann' };
    const registration = await browser.post('/svc/auth/register/options', fields, forged);
    expect(registration.json()['rp']).toMatchObject({ id: 'localhost' });
  });

  it('Origin is held against Host', async () => {
    const statuses = await Promise.all(
      [gatehouse.origin, 'https://a.localhost', 'http://a.localhost'].map(
        async (origin) => (await browser.post(LOGIN_OPTIONS, {}, { ...forged, origin })).status,
      ),
    );
    expect(statuses).toEqual([200, 403, 403]);
  });

  it('the cookie stays that of plain http', async () => {
    const response = await browser.attest();
    const answer = await browser.post('/svc/auth/register/verify', response, forged);
    expect(answer.headers['set-cookie']?.[0]).toMatch(/^session=[^;]{43};(?!.*Secure)/);
    expect((await browser.get(ME, forged)).json()['user']).toMatchObject({ displayName: 'Ann' });
  });

  it('a foreign Host is not saved by them', async () => {
    await browser.agent
      .get(ME)
      .set({ ...forged, host: 'evil.example' })
      .expect(421);
  });
});
