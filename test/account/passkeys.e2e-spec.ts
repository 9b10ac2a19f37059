import type { Browser } from '../support/browser.js';
import { advanceClock, eventually } from '#libs/platform/testing';
import { useGatehouse } from '../support/gatehouse.js';
import { itWithClock } from '../support/services/describe-with.js';
import { SoftAuthenticator } from '../support/soft-authenticator/index.js';
import {
  FRESH_MS,
  PASSKEYS,
  passkeysOf,
  signedUp,
  typesOf,
  withFurtherPasskey,
} from './own-account.js';

const BITWARDEN = 'd548826e-79b4-db40-a3d8-11116f7e8349';

describe('own passkeys (contract: Own passkeys)', () => {
  const gatehouse = useGatehouse();
  let browser: Browser;

  beforeEach(async () => {
    browser = await signedUp(gatehouse);
  });

  const rename = (id: string, name: unknown, whose = browser) =>
    whose.send('PATCH', `${PASSKEYS}/${id}`, { name });
  const remove = (id: string, whose = browser) => whose.send('DELETE', `${PASSKEYS}/${id}`);
  const first = async (whose = browser) => (await passkeysOf(whose)).at(-1)?.id ?? '';

  it('lists the record of the contract and nothing else, newest first', async () => {
    const before = Math.floor(Date.now() / 1000);
    const key = SoftAuthenticator.securityKey({ aaguid: BITWARDEN });
    await withFurtherPasskey(gatehouse, browser, key);
    const answer = await browser.get(PASSKEYS);
    expect(answer.headers['cache-control']).toBe('no-store');
    const record = {
      id: expect.stringMatching(/^[\w-]{16,1366}$/),
      name: null,
      provider: null,
      synced: true,
      createdAt: expect.any(Number),
      lastUsedAt: null,
      current: true,
    };
    expect(answer.json()).toEqual({
      passkeys: [{ ...record, provider: 'Bitwarden', synced: false, current: false }, record],
    });
    const [newest] = await passkeysOf(browser);
    expect(newest?.createdAt).toBeGreaterThanOrEqual(before);
    expect(newest?.createdAt).toBeLessThanOrEqual(Math.ceil(Date.now() / 1000));
  });

  it('tells the last sign-in with it, whether it is synced now, and which this session began with', async () => {
    const device = await withFurtherPasskey(gatehouse, browser);
    await device.signIn({ overrides: { bs: false } });
    const [newest, oldest] = await passkeysOf(device);
    expect([newest?.synced, newest?.current, oldest?.current]).toEqual([false, true, false]);
    expect(newest?.lastUsedAt).toBeGreaterThanOrEqual(newest?.createdAt ?? Infinity);
    expect(oldest?.lastUsedAt).toBeNull();
  });

  it('PATCH names it, by the rules of the display name', async () => {
    const [passkey] = await passkeysOf(browser);
    const answer = await rename(passkey?.id ?? '', '  My   phone ');
    expect([answer.status, answer.json()]).toEqual([
      200,
      { passkey: { ...passkey, name: 'My phone' } },
    ]);
    expect((await passkeysOf(browser))[0]?.name).toBe('My phone');
    const refused = await rename(passkey?.id ?? '', 'x'.repeat(41));
    expect([refused.status, refused.json()]).toEqual([
      400,
      { error: expect.stringMatching(/^name /) },
    ]);
  });

  it('404 | PATCH and DELETE of another account’s passkey, which stays as it is', async () => {
    const eve = await signedUp(gatehouse, 'Eve');
    await withFurtherPasskey(gatehouse, browser);
    const id = await first();
    expect([(await rename(id, 'Mine', eve)).status, (await remove(id, eve)).status]).toEqual([
      404, 404,
    ]);
    expect((await passkeysOf(browser)).map(({ name }) => name)).toEqual([null, null]);
  });

  itWithClock(
    '403 sign_in_again | DELETE in a session that began more than 10 minutes ago',
    async () => {
      await withFurtherPasskey(gatehouse, browser);
      advanceClock(FRESH_MS + 1);
      expect((await rename(await first(), 'Mine')).status).toBe(200);
      const answer = await remove(await first());
      expect([answer.status, answer.json()]).toEqual([
        403,
        { error: expect.any(String), reason: 'sign_in_again' },
      ]);
      expect(await passkeysOf(browser)).toHaveLength(2);
      await browser.signIn();
      expect((await remove(await first())).status).toBe(204);
    },
  );

  it('409 | DELETE of the last one, which goes on to sign in', async () => {
    const answer = await remove(await first());
    expect([answer.status, answer.json()]).toEqual([409, { error: expect.any(String) }]);
    expect((await browser.signIn()).status).toBe(200);
  });

  it('DELETE ends the sessions that began with it, but not the one that deletes it', async () => {
    const device = await withFurtherPasskey(gatehouse, browser);
    const [lost, kept] = [await first(), (await passkeysOf(browser))[0]?.id];
    const elsewhere = browser.at(gatehouse);
    elsewhere.cookie = undefined;
    await elsewhere.signIn();
    await device.signIn();
    const answer = await remove(lost);
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect((await elsewhere.me()).user).toBeNull();
    expect((await device.me()).user).not.toBeNull();
    expect((await passkeysOf(browser)).map(({ id, current }) => [id, current])).toEqual([
      [kept, false],
    ]);
    expect((await remove(lost)).status).toBe(404);
    expect((await elsewhere.signIn()).status).toBe(400);
    const { user } = await browser.me();
    await eventually(async () =>
      expect(await typesOf(gatehouse, user?.id)).toEqual([
        'sign-up',
        'passkey-added',
        'sign-in',
        'sign-in',
        'passkey-removed',
      ]),
    );
  });
});
