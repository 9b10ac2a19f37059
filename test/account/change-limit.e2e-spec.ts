import { Browser } from '../support/browser.js';
import { startGatehouse, useReplicas } from '../support/gatehouse.js';
import type { Answer } from '../support/http.js';
import {
  PASSKEYS,
  passkeysOf,
  recoveryLinkOf,
  SESSIONS,
  sessionsOf,
  signedUp,
  withFurtherPasskey,
} from './own-account.js';

/** Enough for the sign-ups, which all come from one visitor. */
const MAX = 20;
const CALLS = 64;
/** Too long to end while a test runs. */
const PERIOD = 3600;
const limits = { RATE_LIMIT_MAX: String(MAX), RATE_LIMIT_PERIOD: String(PERIOD) };
const statuses = (answers: Answer[]) => answers.map(({ status }) => status);

describe('429 | POST, PATCH and DELETE under /svc/me | more changes than a session may make (contract: Own account)', () => {
  const [here, there] = useReplicas((other) => startGatehouse(limits, other));
  let ann: Browser;

  beforeEach(async () => {
    ann = await signedUp(here);
  });

  const rename = (browser: Browser, displayName: string) =>
    browser.send('PATCH', '/svc/me', { displayName });
  const exhaust = (browser: Browser) =>
    Promise.all(
      Array.from({ length: CALLS }, (_, n) =>
        rename(browser.at(n % 2 === 0 ? here : there), `Ann ${n}`),
      ),
    );

  it('holds for every change, before its body is read, and changes nothing', async () => {
    const [{ id = '' } = {}] = await passkeysOf(ann);
    const [{ id: session = '' } = {}] = await sessionsOf(ann);
    await exhaust(ann);
    const answers = [
      await ann.send('PATCH', '/svc/me', '['),
      await ann.send('PATCH', `${PASSKEYS}/${id}`, '['),
      await ann.post('/svc/me/recovery-codes', '['),
      await ann.post('/svc/me/requests/unknown', '['),
      await ann.post('/svc/me/requests/unknown/options'),
      await ann.send('DELETE', `${PASSKEYS}/${id}`),
      await ann.send('DELETE', `${SESSIONS}/${session}`),
      await ann.send('DELETE', SESSIONS),
      await ann.send('DELETE', '/svc/me'),
      await ann.get('/svc/me/export'),
    ];
    for (const answer of answers) {
      expect([answer.status, answer.headers['retry-after']]).toEqual([429, String(PERIOD)]);
      expect(answer.json()).toEqual({ error: expect.stringContaining('try again in') });
    }
    expect((await ann.me()).user).not.toBeNull();
  });

  it('leaves reading alone', async () => {
    await exhaust(ann);
    for (const path of [PASSKEYS, SESSIONS, '/svc/me/activity', '/svc/me/recovery-codes']) {
      expect((await ann.get(path)).status).toBe(200);
    }
  });

  it('a session that used it up does not keep another of the account from ending it', async () => {
    const stolen = ann.at(here);
    stolen.cookie = undefined;
    await stolen.signIn();
    await exhaust(stolen);
    expect((await ann.send('DELETE', SESSIONS)).status).toBe(204);
    expect((await stolen.me()).user).toBeNull();
  });
});

describe('429 | POST, PATCH and DELETE under /svc/me | more changes than an account may make (contract: Own account)', () => {
  /** The limit per session; enough for its own sign-in, because each request comes from its own address. */
  const LIMIT = 6;
  const OF_ACCOUNT = 10 * LIMIT;
  const CROWD = 12;
  const variables = {
    ...limits,
    RATE_LIMIT_MAX: String(LIMIT),
    TRUSTED_PROXIES: 'loopback',
    CLIENT_ADDRESS_HEADER: 'X-Real-IP',
  };
  const [here, there] = useReplicas((other) => startGatehouse(variables, other));
  let addresses = 0;
  let ann: Browser;
  let thieves: Browser[];

  /** A browser whose every request comes from a new address, including the sign-in. */
  class Elsewhere extends Browser {
    private readonly forwarded = { 'x-real-ip': `198.51.100.${(addresses += 1)}` };

    override get agent() {
      return super.agent.set(this.forwarded);
    }
    override send(...[method, path, body, headers]: Parameters<Browser['send']>) {
      return super.send(method, path, body, { ...this.forwarded, ...headers });
    }
  }

  beforeEach(async () => {
    ann = new Elsewhere(here);
    await ann.signUp();
    thieves = Array.from({ length: CROWD }, (_, n) => {
      const { port } = n % 2 === 0 ? here : there;
      return new Elsewhere({ port, origin: here.origin }, ann.authenticator);
    });
    const signIns = await Promise.all(thieves.map((thief) => thief.signIn()));
    expect(new Set(statuses(signIns))).toEqual(new Set([200]));
  });

  const rename = (browser: Browser, n = 0) =>
    browser.send('PATCH', '/svc/me', { displayName: `Ann ${n}` });
  const exhaust = () =>
    Promise.all(
      thieves.flatMap((thief) => Array.from({ length: LIMIT + 2 }, (_, n) => rename(thief, n))),
    );

  it('of many at once, by many sessions from many addresses, on any replica, ten times as many are done as by one', async () => {
    const found = statuses(await exhaust());
    expect(found.filter((status) => status === 200)).toHaveLength(OF_ACCOUNT);
    expect(new Set(found)).toEqual(new Set([200, 429]));
    const refused = await rename(ann);
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, String(PERIOD)]);
    const bob = new Elsewhere(here);
    await bob.signUp('Bob');
    expect((await rename(bob)).status).toBe(200);
  });

  it('what one session was refused leaves the others of the account their room', async () => {
    const [thief] = thieves;
    await Promise.all(Array.from({ length: 2 * OF_ACCOUNT }, () => rename(thief ?? ann)));
    for (let n = 0; n < LIMIT; n += 1) expect((await rename(ann)).status).toBe(200);
  });

  it('never keeps the owner from removing a passkey, ending sessions and signing out', async () => {
    const added = await withFurtherPasskey(here, ann);
    await exhaust();
    expect((await rename(ann)).status).toBe(429);

    const passkeys = await passkeysOf(ann);
    const { id = '' } = passkeys.find(({ current }) => !current) ?? {};
    expect((await ann.send('DELETE', `${PASSKEYS}/${id}`)).status).toBe(204);
    expect((await added.signIn()).status).toBe(400);
    const listed = (await sessionsOf(ann)).find(({ current }) => !current);
    expect((await ann.send('DELETE', `${SESSIONS}/${listed?.id}`)).status).toBe(204);
    expect((await ann.send('DELETE', SESSIONS)).status).toBe(204);
    for (const thief of thieves) expect((await thief.me()).user).toBeNull();
    expect((await ann.post('/svc/auth/logout')).status).toBe(204);
  });

  it('never keeps the owner from recovery', async () => {
    const { user } = await ann.me();
    const link = await recoveryLinkOf(here, user?.id ?? '');
    await exhaust();
    const lost = new Elsewhere(here);
    const code = new URL(link).hash.slice(1);
    expect((await lost.post('/svc/recovery', { code })).status).toBe(200);
    for (const thief of thieves) expect((await thief.me()).user).toBeNull();
  });
});
