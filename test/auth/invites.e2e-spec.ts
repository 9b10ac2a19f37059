import { jest } from '@jest/globals';
import { DataSource, type EntityManager } from 'typeorm';
import { AccountPolicy, InviteDirectoryService } from '#libs/accounts';
import { ChallengeStore } from '#libs/passkeys';
import { Browser } from '../support/browser.js';
import { eventually } from '../support/eventually.js';
import { type Gatehouse, startGatehouse } from '../support/gatehouse.js';
import type { Answer } from '../support/http.js';

const OPTIONS = '/svc/auth/register/options';
const VERIFY = '/svc/auth/register/verify';
const DAY_MS = 24 * 60 * 60 * 1000;
const WRONG = 'AAAA-AAAA-AAAA-AAAA-AAAA';
const replicated = globalThis.STORAGE !== 'embedded';

describe(`SIGN_UP=invite (contract: Sign-up) (${replicated ? 'two replicas' : 'one process'})`, () => {
  let here: Gatehouse;
  let there: Gatehouse;
  let browser: Browser;

  const database = () => here.app.get(DataSource);
  const directory = () => here.app.get(InviteDirectoryService, { strict: false });
  const create = (uses = 1) =>
    directory().create({ uses, expiresAt: Date.now() + DAY_MS, createdBy: 'root' });
  const expire = (id: string) => database().manager.update('invites', { id }, { expiresAt: 1 });
  const usesLeft = async (id: string) => (await directory().get(id)).usesLeft;
  const accounts = () => database().manager.count('users');
  const ask = (invite?: unknown, by = browser) =>
    by.post(OPTIONS, { displayName: 'Ann', ...(invite === undefined ? {} : { invite }) });
  const attest = (invite: string, by = browser) =>
    by.attest(undefined, { displayName: 'Ann', invite });
  const signUp = async (invite: string, by = browser) => by.post(VERIFY, await attest(invite, by));

  beforeAll(async () => {
    here = await startGatehouse({ SIGN_UP: 'invite' });
    there = replicated ? await startGatehouse({ SIGN_UP: 'invite' }, here) : here;
  });
  beforeEach(() => {
    browser = new Browser(here);
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });
  afterAll(async () => {
    if (replicated) await there.stop();
    await here.stop();
  });

  function expectRefused(answer: Answer) {
    expect([answer.status, answer.json()]).toEqual([
      403,
      { error: expect.stringContaining('invitation code'), reason: 'invite' },
    ]);
    expect(answer.headers['set-cookie']).toBeUndefined();
  }

  it('a good code makes an account, takes one use, and is named in the event', async () => {
    const { id, code } = await create(2);
    const answer = await signUp(code.toLowerCase().replaceAll('-', ' '));
    expect(answer.status).toBe(200);
    const { user } = await browser.me();
    expect(user?.displayName).toBe('Ann');
    expect(await usesLeft(id)).toBe(1);
    await eventually(async () => {
      const where = { type: 'sign-up', userId: user?.id };
      const [row] = await database().manager.findBy('audit_events', where);
      expect(row).toMatchObject({ detail: `invite ${id}` });
    });
  });

  it('403 before any ceremony begins, and nothing is stored: no code, or one that is not good', async () => {
    const [used, expired, deleted] = [await create(), await create(), await create()];
    await signUp(used.code, new Browser(here));
    await expire(expired.id);
    await directory().remove(deleted.id);
    const put = jest.spyOn(here.app.get(ChallengeStore, { strict: false }), 'put');
    const bad = [WRONG, used.code, expired.code, deleted.code, 'x'.repeat(64), '\u0000', '\ud800'];
    const answers = [];
    for (const code of bad) answers.push(await ask(code));
    for (const answer of answers) expectRefused(answer);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    for (const code of [undefined, '', '  ']) expectRefused(await ask(code));
    expect(put).not.toHaveBeenCalled();
  });

  it('400 | malformed invite', async () => {
    const { code } = await create();
    for (const invite of [7, null, true, [code], {}, code.padEnd(65)]) {
      const answer = await ask(invite);
      expect([answer.status, answer.json()]).toEqual([
        400,
        { error: 'invite has to be a text of at most 64 characters' },
      ]);
    }
  });

  it.each([
    ['expired', ({ id }: { id: string }) => expire(id)],
    ['deleted', ({ id }: { id: string }) => directory().remove(id)],
    ['used', ({ code }: { code: string }) => signUp(code, new Browser(there))],
  ])('403 at verify and no account | the invite was %s since', async (_how, spoil) => {
    const invite = await create();
    const response = await attest(invite.code);
    await spoil(invite);
    const before = await accounts();
    expectRefused(await browser.post(VERIFY, response));
    expect(await accounts()).toBe(before);
    expect((await browser.post(VERIFY, response)).status).toBe(400);
  });

  it('403 at verify for a sign-up that began before invites were wanted', async () => {
    const policy = here.app.get(AccountPolicy, { strict: false });
    jest.replaceProperty(policy, 'signUp', 'open');
    const response = await browser.attest();
    jest.restoreAllMocks();
    expectRefused(await browser.post(VERIFY, response));
  });

  it('a verification that fails spends nothing', async () => {
    const { id, code } = await create();
    const forged = await attest(code);
    const { response } = forged;
    const worthless = { ...forged, response: { ...response, attestationObject: 'AAAA' } };
    expect((await browser.post(VERIFY, worthless)).status).toBe(400);

    const other = await create();
    await signUp(other.code);
    const taken = browser.authenticator.list('localhost').at(-1);
    const again = new Browser(here);
    const copy = await again.authenticator.create(
      await again.creationOptions({ displayName: 'Eve', invite: code }),
      here.origin,
      { overrides: { credentialId: taken?.id ?? '' } },
    );
    expect((await again.post(VERIFY, copy)).status).toBe(409);

    const source = database();
    const transaction = source.transaction.bind(source) as (work: unknown) => Promise<unknown>;
    const last = await attest(code, again);
    jest.spyOn(source, 'transaction').mockImplementationOnce(async (...work: unknown[]) =>
      transaction(async (manager: EntityManager) => {
        await (work[0] as (inside: EntityManager) => Promise<unknown>)(manager);
        throw new Error('the machine failed');
      }),
    );
    const before = await accounts();
    expect((await again.post(VERIFY, last)).status).toBe(500);
    expect([await usesLeft(id), await accounts()]).toEqual([1, before]);
    expect((await signUp(code, again)).status).toBe(200);
  });

  it('of 12 sign-ups that end at once, 3 get the 3 uses', async () => {
    const { id, code } = await create(3);
    const browsers = Array.from({ length: 12 }, (_, n) => new Browser(n % 2 ? here : there));
    const ready = await Promise.all(browsers.map((by) => attest(code, by)));
    const before = await accounts();
    const answers = await Promise.all(browsers.map((by, n) => by.post(VERIFY, ready[n] ?? {})));
    const statuses = answers.map(({ status }) => status).toSorted();
    expect(statuses).toEqual([...Array(3).fill(200), ...Array(9).fill(403)]);
    expect(await accounts()).toBe(before + 3);
    expect(await usesLeft(id)).toBe(0);
    const signedIn = await Promise.all(browsers.map((by) => by.me()));
    expect(signedIn.filter(({ user }) => user !== null)).toHaveLength(3);
  });

  it('who has an account is not asked: a further passkey, sign-in and recovery', async () => {
    await signUp((await create()).code);
    const codes = await browser.post('/svc/me/recovery-codes', {});
    const device = new Browser(here);
    device.cookie = browser.cookie;
    expect((await device.addPasskey()).status).toBe(200);
    expect((await browser.signIn()).status).toBe(200);
    const [recovery] = codes.json<{ codes: string[] }>().codes;
    const lost = new Browser(here);
    expect((await lost.post('/svc/recovery', { code: recovery })).status).toBe(200);
    expect((await lost.addPasskey()).status).toBe(200);
  });

  it('keeps no code, only its hash', async () => {
    const { code } = await create();
    await attest(code);
    const rows = JSON.stringify(await database().query('SELECT * FROM invites'));
    expect(rows).not.toContain(code);
    expect(rows).not.toContain(code.replaceAll('-', ''));
  });
});
