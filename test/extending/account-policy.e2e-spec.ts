import { AccountPolicy, type Applicant, type SignUp } from '#libs/accounts';
import { Admin } from '../support/admin.js';
import { Browser } from '../support/browser.js';
import { extension as acme } from '../../examples/team/src/acme.extension.js';
import { startTeamApp } from './team-app.js';

const OPTIONS = '/svc/auth/register/options';
const VERIFY = '/svc/auth/register/verify';

/** Answers as the test decides, and records the accounts it was asked about. */
class FickleAccountPolicy extends AccountPolicy {
  signUp: SignUp = 'open';
  answers: (string | undefined)[] = [];
  readonly asked: Applicant[] = [];

  async refusalOf(applicant: Applicant) {
    this.asked.push(applicant);
    const answer = this.answers.shift();
    if (answer === 'crash') throw new Error('the directory of the company is down');
    return answer;
  }
}

interface Page {
  readonly items: readonly { readonly id: string; readonly usesLeft?: number }[];
}

type App = Awaited<ReturnType<typeof startTeamApp>>;

const browserOf = ({ port }: App) => new Browser({ port, origin: `http://localhost:${port}` });
const accountsOf = async (app: App) =>
  (await new Admin(app).json<Page>('users', 'list')).items.length;

describe('the account policy of Acme (contract: Sign-up)', () => {
  let started: App;

  const ask = (displayName: string) => browserOf(started).post(OPTIONS, { displayName });
  afterEach(() => started.stop());

  it('refuses in its own words, and lets others in', async () => {
    started = await startTeamApp(acme);
    const answer = await ask('The ACME team');
    expect([answer.status, answer.json()]).toEqual([
      403,
      { error: 'names with Acme in them are for Acme itself; choose another one' },
    ]);
    expect((await browserOf(started).signUp('Ann Acmeson')).status).toBe(200);
  });

  it('narrows what SIGN_UP says', async () => {
    started = await startTeamApp(acme, { SIGN_UP: 'closed' });
    const answer = await ask('Ann');
    expect([answer.status, answer.json()]).toEqual([
      403,
      {
        error:
          'this service is not accepting new accounts; contact an administrator of this service',
      },
    ]);
  });
});

describe('an account policy of a team (contract: Sign-up)', () => {
  let started: App;
  let policy: FickleAccountPolicy;
  let browser: Browser;

  beforeEach(async () => {
    policy = new FickleAccountPolicy();
    const replacements = { accounts: [{ provide: AccountPolicy, useValue: policy }] };
    started = await startTeamApp({ replacements });
    browser = browserOf(started);
  });
  afterEach(() => started.stop());

  it('is asked before a ceremony begins and when it ends, about the same', async () => {
    await browser.signUp(' Ann ');
    const ann = { displayName: 'Ann', origin: `http://localhost:${started.port}` };
    expect(policy.asked).toEqual([ann, ann]);
  });

  it('may have changed its mind by the end: 403 in its words, no account, no cookie', async () => {
    policy.answers = [undefined, 'the office is full by now'];
    const answer = await browser.signUp();
    expect([answer.status, answer.json()]).toEqual([403, { error: 'the office is full by now' }]);
    expect(answer.headers['set-cookie']).toBeUndefined();
    expect(await accountsOf(started)).toBe(0);
  });

  it.each(['begins', 'ends'])(
    'fails closed when it cannot answer as a sign-up %s',
    async (when) => {
      policy.answers = when === 'begins' ? ['crash'] : [undefined, 'crash'];
      const answer =
        when === 'begins'
          ? await browser.post(OPTIONS, { displayName: 'Ann' })
          : await browser.signUp();
      expect(answer.status).toBe(500);
      expect(answer.text).not.toContain('directory');
      expect(await accountsOf(started)).toBe(0);
    },
  );

  it('is never asked about who has an account', async () => {
    await browser.signUp();
    const codes = await browser.post('/svc/me/recovery-codes', {});
    const [code] = codes.json<{ codes: string[] }>().codes;
    policy.asked.length = 0;
    policy.signUp = 'closed';
    expect((await browser.signIn()).status).toBe(200);
    const lost = browserOf(started);
    expect((await lost.post('/svc/recovery', { code })).status).toBe(200);
    expect((await lost.addPasskey()).status).toBe(200);
    expect(policy.asked).toEqual([]);
  });

  it('may want invites: then each account takes one, and others are not asked about', async () => {
    policy.signUp = 'invite';
    expect((await browser.post(OPTIONS, { displayName: 'Ann' })).status).toBe(403);
    expect(policy.asked).toEqual([]);
    expect((await browser.get('/svc/account')).text).toContain('id="invite"');
    const admin = new Admin(started);
    const made = ['invites', 'create', '--uses', '2'];
    const { code, id } = await admin.json<{ code: string; id: string }>(...made);
    const attest = () => browser.attest(undefined, { displayName: 'Ann', invite: code });
    policy.answers = [undefined, 'the office is full by now'];
    expect((await browser.post(VERIFY, await attest())).status).toBe(403);
    expect((await browser.post(VERIFY, await attest())).status).toBe(200);
    const { items } = await admin.json<Page>('invites', 'list');
    expect(items).toEqual([expect.objectContaining({ id, usesLeft: 1 })]);
  });
});
