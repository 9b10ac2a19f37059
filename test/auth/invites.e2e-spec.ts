import { Admin } from '../support/admin.js';
import { Browser } from '../support/browser.js';
import { ChangingPolicy } from '../support/changing-policy.js';
import { advanceClock, eventually } from '#libs/platform/testing';
import { startGatehouse, useReplicas } from '../support/gatehouse.js';
import type { Answer } from '../support/http.js';
import { createInvite, type Invite } from '../support/invite.js';
import { itWithClock } from '../support/services/describe-with.js';
import { failNextTransaction } from '../support/transactions.js';

const OPTIONS = '/svc/auth/register/options';
const VERIFY = '/svc/auth/register/verify';
const MINUTE_MS = 60_000;
const WRONG = 'AAAA-AAAA-AAAA-AAAA-AAAA';
const replicated = globalThis.STORAGE !== 'embedded';

interface List<T> {
  readonly items: readonly T[];
}

describe(`SIGN_UP=invite (contract: Sign-up) (${replicated ? 'two replicas' : 'one process'})`, () => {
  const [here, there] = useReplicas((other) => startGatehouse({ SIGN_UP: 'invite' }, other));
  let admin: Admin;
  let browser: Browser;

  const remove = ({ id }: Invite) => admin.text('invites', 'delete', id, '--yes');
  const usesLeft = async ({ id }: Invite) => {
    const invites = await admin.json<List<{ id: string; usesLeft: number }>>('invites', 'list');
    return invites.items.find((invite) => invite.id === id)?.usesLeft;
  };
  const accounts = async () => {
    const args = ['users', 'list', '--limit', '100'];
    return (await admin.json<List<object>>(...args)).items.length;
  };
  const ask = (invite?: unknown) =>
    browser.post(OPTIONS, { displayName: 'Ann', ...(invite === undefined ? {} : { invite }) });
  const attest = (invite: string, by = browser) =>
    by.attest(undefined, { displayName: 'Ann', invite });

  beforeAll(async () => {
    admin = new Admin(here);
  });
  beforeEach(() => {
    browser = new Browser(here);
  });

  function expectRefused(answer: Answer) {
    expect([answer.status, answer.json()]).toEqual([
      403,
      { error: expect.stringContaining('invitation code'), reason: 'invite' },
    ]);
    expect(answer.headers['set-cookie']).toBeUndefined();
  }

  async function expectNoAccountFor(response: object) {
    const before = await accounts();
    expectRefused(await browser.post(VERIFY, response));
    expect(await accounts()).toBe(before);
    expect((await browser.post(VERIFY, response)).status).toBe(400);
  }

  it('a good code makes an account, takes one use, and is named in the event', async () => {
    const invite = await createInvite(here, { uses: 2 });
    const typed = invite.code.toLowerCase().replaceAll('-', ' ');
    expect((await browser.signUp('Ann', { invite: typed })).status).toBe(200);
    const { user } = await browser.me();
    expect(user?.displayName).toBe('Ann');
    expect(await usesLeft(invite)).toBe(1);
    await eventually(async () => {
      const args = ['audit', 'list', '--user', user?.id ?? '', '--type', 'sign-up'];
      const { items } = await admin.json<List<object>>(...args);
      expect(items).toMatchObject([{ detail: `invite ${invite.id}` }]);
    });
  });

  it('403 before any ceremony begins: no code, or one that is not good, with one text', async () => {
    const [used, deleted] = [await createInvite(here), await createInvite(here)];
    await browser.signUp('Bob', { invite: used.code });
    await remove(deleted);
    browser.cookie = undefined;
    const answers = [];
    for (const code of [WRONG, used.code, deleted.code, 'x'.repeat(64), '\u0000', '\ud800']) {
      answers.push(await ask(code));
    }
    for (const answer of answers) expectRefused(answer);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    for (const code of [undefined, '  ']) expectRefused(await ask(code));
  });

  itWithClock('403 for a code that has expired, with the text of a wrong one', async () => {
    const { code } = await createInvite(here, { lifetimeMs: 10 * MINUTE_MS });
    advanceClock(9 * MINUTE_MS);
    expect((await ask(code)).status).toBe(200);
    advanceClock(MINUTE_MS + 1);
    const answer = await ask(code);
    expectRefused(answer);
    expect(answer.text).toBe((await ask(WRONG)).text);
  });

  it('400 | malformed invite', async () => {
    const { code } = await createInvite(here);
    for (const invite of [7, code.padEnd(65)]) {
      const answer = await ask(invite);
      expect([answer.status, answer.json()]).toEqual([
        400,
        { error: 'invite has to be a text of at most 64 characters' },
      ]);
    }
  });

  it.each([
    ['deleted', remove],
    [
      'used',
      async ({ code }: Invite) => void (await new Browser(there).signUp('Bob', { invite: code })),
    ],
  ])('403 at verify and no account | the invite was %s since', async (_how, spoil) => {
    const invite = await createInvite(here);
    const response = await attest(invite.code);
    await spoil(invite);
    await expectNoAccountFor(response);
  });

  itWithClock('403 at verify and no account | the invite has expired since', async () => {
    const { code } = await createInvite(here, { lifetimeMs: MINUTE_MS });
    const response = await attest(code);
    advanceClock(MINUTE_MS + 1);
    await expectNoAccountFor(response);
  });

  it('403 at verify for a sign-up that began before invites were wanted', async () => {
    const policy = new ChangingPolicy();
    const own = await startGatehouse({}, undefined, [policy.extension]);
    try {
      browser = new Browser(own);
      const response = await browser.attest();
      policy.signUp = 'invite';
      expectRefused(await browser.post(VERIFY, response));
    } finally {
      await own.stop();
    }
  });

  it('a verification that fails spends nothing', async () => {
    const invite = await createInvite(here);
    const forged = await attest(invite.code);
    const { response } = forged;
    const worthless = { ...forged, response: { ...response, attestationObject: 'AAAA' } };
    expect((await browser.post(VERIFY, worthless)).status).toBe(400);

    await browser.signUp('Bob', { invite: (await createInvite(here)).code });
    const credentialId = browser.authenticator.list('localhost').at(-1)?.id ?? '';
    const again = new Browser(here);
    const copy = await again.signUp('Eve', { invite: invite.code, overrides: { credentialId } });
    expect(copy.status).toBe(409);

    const last = await attest(invite.code, again);
    const before = await accounts();
    failNextTransaction(here);
    expect((await again.post(VERIFY, last)).status).toBe(500);
    expect([await usesLeft(invite), await accounts()]).toEqual([1, before]);
    expect((await again.signUp('Ann', { invite: invite.code })).status).toBe(200);
  });

  it('of 12 sign-ups that end at once, 3 get the 3 uses', async () => {
    const invite = await createInvite(here, { uses: 3 });
    const browsers = Array.from({ length: 12 }, (_, n) => new Browser(n % 2 ? here : there));
    const ready = await Promise.all(browsers.map((by) => attest(invite.code, by)));
    const before = await accounts();
    const answers = await Promise.all(browsers.map((by, n) => by.post(VERIFY, ready[n] ?? {})));
    const statuses = answers.map(({ status }) => status).toSorted();
    expect(statuses).toEqual([...Array(3).fill(200), ...Array(9).fill(403)]);
    expect([await accounts(), await usesLeft(invite)]).toEqual([before + 3, 0]);
    const signedIn = await Promise.all(browsers.map((by) => by.me()));
    expect(signedIn.filter(({ user }) => user !== null)).toHaveLength(3);
  });

  it('who has an account is not asked: a further passkey, sign-in and recovery', async () => {
    await browser.signUp('Ann', { invite: (await createInvite(here)).code });
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
});
