import { Browser } from '../support/browser.js';
import { type Gatehouse, startGatehouse, useGatehouse } from '../support/gatehouse.js';
import { type Answer, exchange, requestHead } from '../support/http.js';

const POST_ROUTES = [
  'register/options',
  'register/verify',
  'login/options',
  'login/verify',
  'logout',
].map((route) => `/svc/auth/${route}`);
const VISIT = '/svc/auth/login/options';
const ME = '/svc/auth/me';

const MAX = 5;
/** Too long to end while a test runs. */
const PERIOD = 3600;
const limits = { RATE_LIMIT_MAX: String(MAX), RATE_LIMIT_PERIOD: String(PERIOD) };

type Headers = Record<string, string>;
const from = (...addresses: string[]): Headers => ({ 'x-forwarded-for': addresses.join(', ') });
const times = <T>(count: number, make: (n: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, n) => make(n)));
const countOf = (status: number, answers: Answer[]) =>
  answers.filter((answer) => answer.status === status).length;

describe('429 | /svc/auth/* (except me) and /svc/oauth/* | per-visitor limit exceeded | try again in a minute; header Retry-After', () => {
  const gatehouse = useGatehouse(() => startGatehouse({ ...limits, TRUSTED_PROXIES: 'loopback' }));
  let browser: Browser;
  let visitors = 0;

  /** Headers of a visitor with an unused address. */
  const newVisitor = () =>
    from(`198.51.${100 + Math.floor(visitors / 250)}.${(visitors++ % 250) + 1}`);
  const visit = (headers: Headers) => browser.post(VISIT, {}, headers);
  /** How many of twice the limit are admitted: the remaining budget. */
  const admitted = async (headers: Headers) =>
    countOf(200, await times(2 * MAX, () => visit(headers)));

  beforeEach(() => {
    browser = new Browser(gatehouse);
  });

  describe('the refusal', () => {
    let exhausted: Headers;

    beforeEach(async () => {
      exhausted = newVisitor();
      expect(await admitted(exhausted)).toBe(MAX);
    });

    it.each(POST_ROUTES)('%s', async (path) => {
      const answer = await browser.agent.post(path).set(exhausted).send({}).expect(429);
      expect(answer.body).toEqual({ error: expect.stringContaining('try again in') });
      expect(answer.headers['content-type']).toMatch(/^application\/json/);
      expect(answer.headers['retry-after']).toBe(String(PERIOD));
      expect(answer.headers['cache-control']).toBe('no-store');
      expect(answer.headers['set-cookie']).toBeUndefined();
    });

    it('comes before logout does anything', async () => {
      const visitor = newVisitor();
      const member = new Browser(gatehouse);
      const options = await member.post(
        '/svc/auth/register/options',
        { displayName: 'Ann' },
        visitor,
      );
      const response = await member.authenticator.create(options.json(), gatehouse.origin);
      await member.post('/svc/auth/register/verify', response, visitor);
      await admitted(visitor);
      expect((await member.post('/svc/auth/logout', undefined, visitor)).status).toBe(429);
      expect((await member.me()).user).toMatchObject({ displayName: 'Ann' });
    });

    it.each([
      ['413', 'x'.repeat(20_000)],
      ['400', '{'],
    ])('comes before the body is judged: no %s', async (_status, body) => {
      expect((await browser.post(VISIT, body, exhausted)).status).toBe(429);
    });

    it('does not wait for the body', async () => {
      const [[name, value] = []] = Object.entries(exhausted);
      const head = requestHead(
        `POST ${VISIT} HTTP/1.1`,
        `Host: ${new URL(gatehouse.origin).host}`,
        `${name}: ${value}`,
        'Content-Length: 100',
      );
      expect((await exchange(gatehouse.port, head)).status).toBe(429);
    });

    it('comes after 404, 405 and 403', async () => {
      const foreign = { ...exhausted, origin: 'https://evil.example' };
      await browser.agent.post('/svc/auth/unknown').set(exhausted).send({}).expect(404);
      await browser.agent.get(VISIT).set(exhausted).expect(405);
      await browser.agent.post(VISIT).set(foreign).send({}).expect(403);
    });

    it('never concerns me', async () => {
      const answers = await times(3 * MAX, () => browser.get(ME, exhausted));
      expect(countOf(200, answers)).toBe(3 * MAX);
    });
  });

  describe('what counts', () => {
    it('all five POST routes, on one counter', async () => {
      const visitor = newVisitor();
      const answers = await Promise.all(POST_ROUTES.map((path) => browser.post(path, {}, visitor)));
      expect(POST_ROUTES).toHaveLength(MAX);
      expect(countOf(429, answers)).toBe(0);
      expect(await admitted(visitor)).toBe(0);
    });

    it('calls that fail', async () => {
      const visitor = newVisitor();
      const bodies = ['{', '[]', '{}', 'x'.repeat(20_000), '7'];
      const answers = await Promise.all(
        bodies.map((body) => browser.post('/svc/auth/login/verify', body, visitor)),
      );
      expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 413, 400]);
      expect(await admitted(visitor)).toBe(0);
    });

    it.each<[string, (headers: Headers) => Promise<Answer>, number]>([
      ['me', (headers) => browser.get(ME, headers), 200],
      ['404', (headers) => browser.post('/svc/auth/unknown', {}, headers), 404],
      ['405', (headers) => browser.get(VISIT, headers), 405],
      ['403', (headers) => browser.post(VISIT, {}, { ...headers, origin: 'null' }), 403],
    ])('not %s', async (_what, send, status) => {
      const visitor = newVisitor();
      expect(countOf(status, await times(3 * MAX, () => send(visitor)))).toBe(3 * MAX);
      expect(await admitted(visitor)).toBe(MAX);
    });
  });
});

describe('the window of a visitor', () => {
  let gatehouse: Gatehouse;

  const start = async (variables: Record<string, string>, replicaOf?: Gatehouse) =>
    startGatehouse({ RATE_LIMIT_PERIOD: String(PERIOD), ...variables }, replicaOf);
  const visit = (at = gatehouse) => new Browser(at).post(VISIT, {});

  afterEach(() => gatehouse.stop());

  it('is 300 calls in a minute unless set', async () => {
    gatehouse = await startGatehouse({ RATE_LIMIT_MAX: '' });
    const answers = await times(310, () => visit());
    expect(countOf(200, answers)).toBe(300);
    const refused = answers.find(({ status }) => status === 429);
    expect(refused?.json()).toEqual({ error: expect.stringContaining('try again in a minute') });
    expect(refused?.headers['retry-after']).toBe('60');
  });

  const alone = globalThis.STORAGE === 'embedded';
  (alone ? it.skip : it)(
    'is shared by all replicas (skipped for embedded storage, which has one replica)',
    async () => {
      gatehouse = await start({ RATE_LIMIT_MAX: '50' });
      const replica = await start({ RATE_LIMIT_MAX: '50' }, gatehouse);
      try {
        const answers = await times(80, (n) => visit(n % 2 ? replica : gatehouse));
        expect([countOf(200, answers), countOf(429, answers)]).toEqual([50, 30]);
        const more = await Promise.all([visit(), visit(replica)]);
        expect(countOf(429, more)).toBe(2);
      } finally {
        await replica.stop();
      }
    },
  );
});
