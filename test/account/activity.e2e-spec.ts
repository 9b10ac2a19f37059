import type { Browser } from '../support/browser.js';
import { eventually } from '#libs/platform/testing';
import { useGatehouse } from '../support/gatehouse.js';
import { OAuthClient } from '../support/oauth-client.js';
import { PASSKEYS, passkeysOf, signedUp, withFurtherPasskey } from './own-account.js';

const ACTIVITY = '/svc/me/activity';
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0';

interface ActivityEvent {
  readonly type: string;
  readonly at: number;
  readonly app: string | null;
  readonly browser: string | null;
}

describe('activity of the own account (contract: Own account)', () => {
  const gatehouse = useGatehouse();
  let ann: Browser;

  beforeEach(async () => {
    ann = await signedUp(gatehouse);
  });

  const eventsOf = async (browser: Browser) =>
    (await browser.get(ACTIVITY)).json<{ events: ActivityEvent[] }>().events;
  const until = (count: number, browser = ann) =>
    eventually(async () => {
      const events = await eventsOf(browser);
      expect(events).toHaveLength(count);
      return events;
    });

  it('is the record of the contract and nothing else, newest first, in epoch seconds', async () => {
    await until(1);
    await ann.post('/svc/auth/login/verify', await ann.assert(), { 'user-agent': FIREFOX });
    const events = await until(2);
    const now = Math.floor(Date.now() / 1000);
    expect(events).toEqual([
      { type: 'sign-in', at: expect.any(Number), app: null, browser: 'Firefox on Linux' },
      { type: 'sign-up', at: expect.any(Number), app: null, browser: null },
    ]);
    for (const { at } of events) expect(Math.abs(at - now)).toBeLessThan(60);
    expect((await ann.get(ACTIVITY)).headers['cache-control']).toBe('no-store');
  });

  it('names the app that was connected and disconnected, and not what it did meanwhile', async () => {
    const app = await OAuthClient.register(gatehouse, { client_name: 'Notes' });
    const { access_token: token = '' } = await app.connect(ann);
    await app.mcp(token, 'tools/call', { name: 'account_status', arguments: {} });
    const [{ id = '' } = {}] = (await ann.get('/svc/me/apps')).json<{ apps: { id: string }[] }>()
      .apps;
    await ann.send('DELETE', `/svc/me/apps/${id}`);
    const events = await until(3);
    expect(events.map(({ type, app: name }) => [type, name])).toEqual([
      ['app-disconnected', 'Notes'],
      ['consent-approved', 'Notes'],
      ['sign-up', null],
    ]);
  });

  it('tells of passkeys that came and went, and of no one else’s', async () => {
    const bob = await signedUp(gatehouse, 'Bob');
    await withFurtherPasskey(gatehouse, ann);
    const further = (await passkeysOf(ann)).find(({ current }) => !current);
    await ann.send('DELETE', `${PASSKEYS}/${further?.id}`);
    const events = await until(3);
    expect(events.map(({ type }) => type)).toEqual(['passkey-removed', 'passkey-added', 'sign-up']);
    expect(await until(1, bob)).toMatchObject([{ type: 'sign-up' }]);
  });
});
