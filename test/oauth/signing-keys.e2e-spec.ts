import { Browser } from '../support/browser.js';
import { advanceClock, restoreClock } from '#libs/platform/testing';
import { type Gatehouse, startGatehouse } from '../support/gatehouse.js';
import { requestTo } from '../support/request.js';
import { type ListedKey, ResourceFiles } from '../support/resource-files.js';
import { afterRounds, beginRounds, endRounds } from '../support/rounds.js';

const JWKS = '/svc/jwks';
const METADATA = '/.well-known/oauth-authorization-server';
const DAY_MS = 24 * 60 * 60_000;
const PUBLIC = ['kty', 'crv', 'x', 'y', 'kid', 'alg', 'use'];

describe('the keys of access tokens (contract: JWT access tokens)', () => {
  let files: ResourceFiles;
  let gatehouse: Gatehouse;
  let browser: Browser;

  const kids = async () => {
    const { keys } = (await browser.get(JWKS)).json<{ keys: { kid: string }[] }>();
    return keys.map(({ kid }) => kid);
  };
  const kidsOf = (keys: readonly ListedKey[]) => keys.map(({ kid }) => kid);

  beforeEach(async () => {
    beginRounds('intervals');
    files = await ResourceFiles.of();
    gatehouse = await startGatehouse(files.variables);
    browser = new Browser(gatehouse);
  });
  afterEach(async () => {
    restoreClock();
    await gatehouse.stop();
    endRounds();
    files.remove();
  });

  it('are published without their private part, for five minutes', async () => {
    await files.rotate('--alg', 'EdDSA');
    await afterRounds(async () => expect(await kids()).toHaveLength(2));
    const { body, headers } = await requestTo(gatehouse).get(JWKS).expect(200);
    const listed = files
      .keys()
      .map((key) =>
        Object.fromEntries(PUBLIC.flatMap((name) => (name in key ? [[name, key[name]]] : []))),
      );
    expect(body).toEqual({ keys: listed });
    expect(headers['cache-control']).toBe('public, max-age=300');
    expect(headers['content-type']).toMatch(/^application\/json/);
    expect(headers['access-control-allow-origin']).toBe('*');
    const { body: document } = await requestTo(gatehouse).get(METADATA);
    expect(document.jwks_uri).toBe(`${gatehouse.origin}${JWKS}`);
  });

  it('take the methods of the metadata documents', async () => {
    const [get, head] = [await browser.get(JWKS), await browser.send('HEAD', JWKS)];
    expect([head.status, head.text]).toEqual([200, '']);
    expect(head.headers['content-length']).toBe(get.headers['content-length']);
    expect(head.headers['cache-control']).toBe('public, max-age=300');
    const preflight = await requestTo(gatehouse)
      .options(JWKS)
      .set({ origin: 'https://app.example', 'access-control-request-method': 'GET' })
      .expect(204, '');
    expect(preflight.headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET, HEAD',
      allow: 'GET, HEAD, OPTIONS',
      'cache-control': 'no-store',
    });
    for (const method of ['POST', 'PUT', 'DELETE']) {
      const answer = await browser.send(method, JWKS);
      expect([answer.status, answer.headers.allow]).toEqual([405, 'GET, HEAD, OPTIONS']);
      expect(answer.headers['content-type']).toMatch(/^text\/plain/);
      expect(answer.headers['cache-control']).toBe('no-store');
    }
  });

  it('are read again without a restart, and leave when they retire', async () => {
    const [first] = await kids();
    await files.rotate();
    const [, second] = kidsOf(files.keys());
    await afterRounds(async () => expect(await kids()).toEqual([first, second]));
    advanceClock(2 * DAY_MS);
    expect(await kids()).toEqual([second]);
  });

  it('stay while the file is broken or gone, and are those of the file again afterwards', async () => {
    const before = await kids();
    for (const broken of ['{', '']) {
      files.writeKeys(broken);
      await jest.advanceTimersByTimeAsync(61_000);
      expect(await kids()).toEqual(before);
    }
    const other = await ResourceFiles.of();
    files.writeKeys(other.keys());
    await afterRounds(async () => expect(await kids()).toEqual(kidsOf(other.keys())));
    other.remove();
  });
});
