import { Browser } from '../support/browser.js';
import { startGatehouse, useGatehouse } from '../support/gatehouse.js';

const MAX = 6;
/** A period too long to end while a test runs. */
const limits = { RATE_LIMIT_MAX: String(MAX), RATE_LIMIT_PERIOD: '3600' };
const PAGE = '/svc/oauth/authorize?client_id=unknown';

type Headers = Record<string, string>;
const fetched = (site: string, mode: string, dest: string): Headers => ({
  'sec-fetch-site': site,
  'sec-fetch-mode': mode,
  'sec-fetch-dest': dest,
});
const image = fetched('cross-site', 'no-cors', 'image');

describe('what a foreign page requests in passing (contract: Visitor limit)', () => {
  const gatehouse = useGatehouse(() => startGatehouse({ ...limits, TRUSTED_PROXIES: 'loopback' }));
  let browser: Browser;
  let visitors = 0;
  let from: Headers;

  beforeEach(() => {
    browser = new Browser(gatehouse);
    from = { 'x-forwarded-for': `198.51.100.${(visitors += 1)}` };
  });

  const statuses = async (count: number, headers: Headers) => {
    const calls = Array.from({ length: count }, () => browser.get(PAGE, { ...from, ...headers }));
    return (await Promise.all(calls)).map(({ status }) => status);
  };
  const admitted = async (count: number, headers: Headers = {}) =>
    (await statuses(count, headers)).filter((status) => status !== 429).length;

  it('300 images leave a person all of his limit: he can sign out', async () => {
    expect(await admitted(300, image)).toBe(MAX / 2);
    const answers = Array.from({ length: MAX }, () => browser.post('/svc/auth/logout', '', from));
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual(Array(MAX).fill(204));
    expect((await browser.post('/svc/auth/logout', '', from)).status).toBe(429);
  });

  it.each([
    ['a fetch of a sibling site', fetched('same-site', 'cors', 'empty')],
    ['a frame', fetched('cross-site', 'navigate', 'iframe')],
  ])('%s counts there, under half the limit', async (_what, headers) => {
    expect(await admitted(3 * MAX, headers)).toBe(MAX / 2);
    expect(await admitted(3 * MAX)).toBe(MAX);
  });

  it.each([
    ['a link that a person follows', fetched('cross-site', 'navigate', 'document')],
    ['our own page', fetched('same-origin', 'cors', 'empty')],
  ])('%s counts as ever', async (_what, headers) => {
    expect(await admitted(3 * MAX, headers)).toBe(MAX);
    expect(await admitted(3 * MAX)).toBe(0);
    expect(await admitted(3 * MAX, image)).toBe(MAX / 2);
  });

  it('is refused like everything else', async () => {
    await statuses(MAX, image);
    const answer = await browser.get(PAGE, { ...from, ...image });
    expect([answer.status, answer.headers['retry-after']]).toEqual([429, '3600']);
  });
});
