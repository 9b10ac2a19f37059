import { Controller, Get, Post, Query, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { DataSource } from 'typeorm';
import {
  AccountPolicy,
  type Applicant,
  ConfiguredAccountPolicy,
  ExternalAccountsService,
  ExternalSignIn,
  JsonBody,
  type JsonObject,
  UserEntity,
} from '#libs/accounts';
import { Admin } from '../support/admin.js';
import { Browser } from '../support/browser.js';
import { beforeNextExport } from '../support/export.js';
import { advanceClock, restoreClock } from '#libs/platform/testing';
import { type Gatehouse, useGatehouse } from '../support/gatehouse.js';
import { OAuthClient } from '../support/oauth-client.js';
import { itWithClock } from '../support/services/describe-with.js';
import { beforeNextTransaction } from '../support/transactions.js';
import { bringGuarded, startTeamApp } from '../extending/team-app.js';

const IDP = 'https://idp.example';
const SIGN_IN = '/team/sign-in';
const MINUTE_MS = 60_000;
const LINKS = { SIGN_IN_LINKS: `Sign in with <Acme> & "Co"=${SIGN_IN}?by=acme&now` };
const replicated = globalThis.STORAGE !== 'embedded';

interface Person {
  readonly issuer?: unknown;
  readonly subject?: unknown;
  readonly displayName?: unknown;
}

/** Believes whatever it is told: what a team's module does once it has checked the person. */
@Controller('team')
class TeamSignInController {
  constructor(private readonly signIn: ExternalSignIn) {}

  @Post('sign-in')
  async begin(@Req() request: Request, @Res() response: Response, @JsonBody() person: JsonObject) {
    await this.signIn.begin(request, response, person as never);
  }

  @Get('from')
  async from(@Req() request: Request, @Res() response: Response, @Query('path') path: string) {
    await this.signIn.returnTo(request, response, path);
    response.send('kept');
  }
}

class NamePolicy extends ConfiguredAccountPolicy {
  override async refusalOf({ displayName, identity }: Applicant) {
    return displayName === 'Mallory' ? `no account for ${identity?.subject}` : undefined;
  }
}

const extension = {
  ...bringGuarded(TeamSignInController),
  replacements: { accounts: [{ provide: AccountPolicy, useClass: NamePolicy }] },
};

let people = 0;
const person = (fields: Person = {}) => ({
  issuer: IDP,
  subject: `person-${++people}`,
  displayName: 'Ann',
  ...fields,
});

/** What a browser sends when another site leads it here. */
const FROM_ELSEWHERE = {
  referer: `${IDP}/`,
  'sec-fetch-site': 'cross-site',
  'sec-fetch-mode': 'navigate',
  'sec-fetch-dest': 'document',
};

describe('a sign-in of a team’s own (contract: External sign-in)', () => {
  let here: Gatehouse;
  let there: Gatehouse;
  let browser: Browser;

  beforeAll(async () => {
    here = await startTeamApp(extension, LINKS);
    there = replicated ? await startTeamApp(extension, LINKS, here) : here;
  });
  beforeEach(() => {
    browser = new Browser(here);
  });
  afterEach(restoreClock);
  afterAll(async () => {
    if (replicated) await there.stop();
    await here.stop();
  });

  const begin = (someone: object, headers = {}, as = browser) => as.post(SIGN_IN, someone, headers);
  const countUsers = () => here.app.get(DataSource).manager.count(UserEntity);
  const userOf = async (as = browser) => (await as.me()).user;
  const auditOf = async (userId: string | undefined) => {
    const answer = await new Admin(here).json<{ items: { type: string; detail: string | null }[] }>(
      'audit',
      'list',
      '--user',
      String(userId),
    );
    return answer.items.map(({ type, detail }) => ({ type, detail })).toReversed();
  };

  it('makes an account, signs in to it, and finds it again', async () => {
    const ann = person();
    const answer = await begin(ann, FROM_ELSEWHERE);
    expect([answer.status, answer.headers.location, answer.text]).toEqual([302, '/', '']);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.headers['referrer-policy']).toBe('no-referrer');
    const user = await userOf();
    expect(user).toMatchObject({ displayName: 'Ann' });
    const phone = new Browser(there);
    await begin({ ...ann, displayName: 'Another name' }, {}, phone);
    expect(await userOf(phone)).toEqual(user);
    expect(await auditOf(user?.id)).toEqual([
      { type: 'sign-up', detail: `by ${IDP}` },
      { type: 'sign-in', detail: `by ${IDP}` },
      { type: 'sign-in', detail: `by ${IDP}` },
    ]);
  });

  it('returns to the authorization request, on which people approve the app', async () => {
    const client = await OAuthClient.register(here);
    const path = client.authorizePath();
    const page = await browser.get(path);
    expect(page.text).toContain(
      '<a href="/team/sign-in?by=acme&amp;now" dir="auto">Sign in with &lt;Acme&gt; &amp; &quot;Co&quot;</a>',
    );
    browser = browser.at(there);
    const answer = await begin(person(), FROM_ELSEWHERE);
    expect(answer.headers.location).toBe(`${here.origin}${path}`);
    expect(browser.cookie).toMatch(/^session=[\w-]{43}$/);
    const returned = await browser.at(here).get(path, FROM_ELSEWHERE);
    expect(returned.text).toContain('name="handle"');
    expect(await client.connect(browser.at(here))).toMatchObject({ token_type: 'Bearer' });
  });

  it('returns to the account page, signed out or in, and to what the team kept', async () => {
    const answers = [];
    for (const path of ['/svc/account', '/svc/account?ui_locales=de', '/team/from?path=/a%3Fb=c']) {
      expect((await browser.get(path)).status).toBe(200);
      answers.push((await begin(person())).headers.location);
    }
    expect(answers).toEqual(
      ['/svc/account', '/svc/account?ui_locales=de', '/a?b=c'].map((at) => `${here.origin}${at}`),
    );
    expect((await begin(person())).headers.location).toBe('/');
  });

  it.each(['https://evil.example/'])('400 | %j is nowhere to return to', async (path) => {
    const answer = await browser.get(`/team/from?path=${encodeURIComponent(path)}`);
    expect([answer.status, answer.text]).toEqual([
      400,
      'this address cannot be returned to; go back and try again',
    ]);
    expect(answer.headers['set-cookie']).toBeUndefined();
  });

  it.each([
    ['a query', '?return=//evil.example&next=//evil.example&redirect_uri=//evil.example', ''],
    ['a cookie of its own', '', 'return=//evil.example'],
    [
      'the form of the cookie',
      '',
      `return=9999999999999.${btoa('//evil.example')}.${'A'.repeat(43)}`,
    ],
  ])('ignores an address in %s', async (_what, query, cookie) => {
    browser.cookie = cookie;
    const answer = await browser.post(`${SIGN_IN}${query}`, person());
    expect([answer.status, answer.headers.location]).toEqual([302, '/']);
  });

  it('ends the session that the browser had, whichever site led it here', async () => {
    await browser.signUp('Eve');
    const planted = new Browser(there);
    planted.cookie = browser.cookie;
    await begin(person(), FROM_ELSEWHERE);
    expect((await userOf())?.displayName).toBe('Ann');
    expect(browser.cookie).not.toBe(planted.cookie);
    expect(await userOf(planted)).toBeNull();
  });

  it('leaves one account and as many sessions after parallel first sign-ins of one person', async () => {
    const before = await countUsers();
    const ann = person();
    const browsers = Array.from({ length: 12 }, (_, n) => new Browser(n % 2 ? there : here));
    const answers = await Promise.all(browsers.map((one) => begin(ann, {}, one)));
    expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(302));
    const users = await Promise.all(browsers.map(userOf));
    expect(new Set(users.map((user) => user?.id)).size).toBe(1);
    expect(await countUsers()).toBe(before + 1);
  });

  it('403 | a disabled account, which gets no session and no second account', async () => {
    const ann = person();
    await begin(ann);
    const user = await userOf();
    await new Admin(here).text('users', 'disable', String(user?.id), '--yes');
    const before = await countUsers();
    browser = new Browser(there);
    const answer = await begin(ann);
    expect([answer.status, answer.text]).toEqual([
      403,
      'this account is disabled; contact an administrator of this service',
    ]);
    expect(answer.headers['set-cookie']).toBeUndefined();
    expect(await countUsers()).toBe(before);
    expect((await auditOf(user?.id)).at(-1)).toMatchObject({ type: 'sign-in-failed' });
  });

  it('403 | a person whom the policy refuses, in its words', async () => {
    const before = await countUsers();
    const answer = await begin(person({ displayName: 'Mallory', subject: 'm1' }));
    expect([answer.status, answer.text]).toEqual([403, 'no account for m1']);
    expect(answer.headers['set-cookie']).toBeUndefined();
    expect(await countUsers()).toBe(before);
  });

  it.each<[string, Person]>([
    ['a subject that is no text', { subject: 7 }],
    ['no issuer', { issuer: undefined }],
  ])('400 | %s', async (_what, fields) => {
    const before = await countUsers();
    const answer = await begin(person(fields));
    expect([answer.status, answer.text]).toEqual([
      400,
      'who you are at your sign-in provider cannot be stored here; contact an administrator of this service',
    ]);
    expect(await countUsers()).toBe(before);
  });

  it.each<[unknown, string]>([
    [' Ann \u00a0 Smith\n', 'Ann Smith'],
    ['\u200b', 'idp.example who'],
  ])('names an account that is made for the name %j', async (displayName, name) => {
    await begin(person({ displayName, subject: `who${String.fromCharCode(0x2028)}${++people}` }));
    const { displayName: stored = '' } = (await userOf()) ?? {};
    expect(stored.startsWith(name)).toBe(true);
    expect([...stored].length).toBeLessThanOrEqual(40);
  });

  const statusOf = async (method: string, path: string, as = browser) => {
    const answer = await as.send(method, path, method === 'POST' ? {} : undefined);
    const { reason } = answer.text.startsWith('{') ? answer.json() : {};
    return reason === undefined ? answer.status : `${answer.status} ${String(reason)}`;
  };
  const makeCodes = () => statusOf('POST', '/svc/me/recovery-codes');
  const deleteAccount = () => statusOf('DELETE', '/svc/me');
  const AGAIN = '403 sign_in_again';

  it('is fresh for an account without passkeys: codes, the first passkey, deletion', async () => {
    await begin(person());
    expect(await makeCodes()).toBe(200);
    expect((await browser.addPasskey()).status).toBe(200);
    await begin(person());
    expect(await deleteAccount()).toBe(204);
    expect(await userOf()).toBeNull();
  });

  itWithClock('is fresh for 10 minutes only', async () => {
    await begin(person());
    advanceClock(10 * MINUTE_MS + 1000);
    expect(await makeCodes()).toBe(AGAIN);
    expect(await deleteAccount()).toBe(AGAIN);
    expect(await statusOf('POST', '/svc/auth/register/options')).toBe(AGAIN);
    expect((await browser.get('/svc/account')).text).toContain(
      '<a href="/team/sign-in?by=acme&amp;now"',
    );
  });

  it('is not fresh for an account with a passkey, which keeps its passkeys', async () => {
    const ann = person();
    await begin(ann);
    await browser.addPasskey();
    const [passkey] = (await browser.get('/svc/me/passkeys')).json<{ passkeys: { id: string }[] }>()
      .passkeys;
    for (const again of [false, true]) {
      if (again) await begin(ann);
      expect(await makeCodes()).toBe(AGAIN);
      expect(await deleteAccount()).toBe(AGAIN);
      expect(await statusOf('POST', '/svc/auth/register/options')).toBe(AGAIN);
      expect(await statusOf('DELETE', `/svc/me/passkeys/${passkey?.id}`)).toBe(AGAIN);
    }
    await browser.signIn();
    expect(await makeCodes()).toBe(200);
    const withOtherDevice = new Browser(here);
    withOtherDevice.cookie = browser.cookie;
    expect((await withOtherDevice.addPasskey()).status).toBe(200);
    expect(await statusOf('DELETE', `/svc/me/passkeys/${passkey?.id}`)).toBe(204);
  });

  itWithClock(
    'ends none of its account without a passkey that has just begun, once it is not fresh',
    async () => {
      const ann = person();
      await begin(ann);
      advanceClock(10 * MINUTE_MS + 1000);
      const owner = new Browser(here);
      await begin(ann, {}, owner);
      expect(await statusOf('DELETE', '/svc/me/sessions')).toBe(AGAIN);
      expect((await owner.send('DELETE', '/svc/me/sessions')).status).toBe(204);
      expect([await userOf(), await userOf(owner)]).toEqual([null, expect.anything()]);
    },
  );

  it('ends no session that began by the passkey of its account, which ends it', async () => {
    const ann = person();
    await begin(ann);
    const owner = new Browser(here);
    owner.cookie = browser.cookie;
    await owner.addPasskey();
    await begin(ann);
    await owner.signIn();
    const [own] = (await owner.get('/svc/me/sessions')).json<{ sessions: { id: string }[] }>()
      .sessions;
    expect(await statusOf('DELETE', `/svc/me/sessions/${own?.id}`)).toBe(AGAIN);
    expect(await statusOf('DELETE', '/svc/me/sessions')).toBe(AGAIN);
    expect((await owner.send('DELETE', '/svc/me/sessions')).status).toBe(204);
    expect([await userOf(), await userOf(owner)]).toEqual([null, expect.anything()]);
  });

  it('is not fresh for an export that the first passkey overtakes', async () => {
    const ann = person();
    await begin(ann);
    const other = new Browser(here);
    await other.post(SIGN_IN, ann);
    beforeNextExport(here, async () => expect((await browser.addPasskey()).status).toBe(200));
    expect(await statusOf('GET', '/svc/me/export', other)).toBe(AGAIN);
  });

  it('adds one first passkey, of several at once', async () => {
    await begin(person());
    const tabs = await Promise.all(
      Array.from({ length: 6 }, async (_, n) => {
        const tab = browser.at(n % 2 ? there : here);
        return { tab, body: await tab.attest({}, {}) };
      }),
    );
    const answers = await Promise.all(
      tabs.map(({ tab, body }) => tab.post('/svc/auth/register/verify', body)),
    );
    const statuses = answers.map(({ status }) => status).toSorted();
    expect(statuses).toEqual([200, 403, 403, 403, 403, 403]);
  });

  const firstPasskey = async () => {
    const body = await browser.attest({}, {});
    return async () => (await browser.post('/svc/auth/register/verify', body)).status;
  };
  const codesOf = async () => {
    const answer = await browser.post('/svc/me/recovery-codes', {});
    return answer.json<{ codes?: string[] }>().codes ?? [];
  };
  const recoverWith = async (code: string, as = new Browser(here).at(there)) =>
    (await as.post('/svc/recovery', { code })).status;
  const countCodes = async () => {
    const userId = String((await userOf())?.id);
    return here.app.get(DataSource).manager.countBy('recovery_codes', { userId });
  };

  itWithClock('adds no passkey when it was fresh at the options only', async () => {
    await begin(person());
    advanceClock(6 * MINUTE_MS);
    const add = await firstPasskey();
    advanceClock(4 * MINUTE_MS + 1000);
    expect(await add()).toBe(403);
  });

  it('makes codes that are good until the account has its first passkey', async () => {
    await begin(person());
    const [code = '', other = ''] = await codesOf();
    const phone = new Browser(here).at(there);
    expect(await recoverWith(code, phone)).toBe(200);
    expect((await phone.addPasskey()).status).toBe(200);
    expect(await recoverWith(other)).toBe(400);
    expect((await phone.get('/svc/me/recovery-codes')).json()).toEqual({
      left: 0,
      createdAt: null,
    });
    await phone.signIn();
    const [mine = ''] = (await phone.post('/svc/me/recovery-codes', {})).json<{ codes: string[] }>()
      .codes;
    await new Browser(here, phone.authenticator).signIn();
    expect(await recoverWith(mine)).toBe(200);
  });

  it('and a session by such a code end with the first passkey, of another session', async () => {
    const ann = person();
    await begin(ann);
    const [code = ''] = await codesOf();
    const thief = new Browser(here).at(there);
    expect(await recoverWith(code, thief)).toBe(200);
    const [again = ''] = (await thief.post('/svc/me/recovery-codes', {})).json<{
      codes: string[];
    }>().codes;
    await begin(ann);
    expect((await browser.addPasskey()).status).toBe(200);
    expect(await recoverWith(again)).toBe(400);
    expect(await userOf(thief)).toBeNull();
    expect((await userOf())?.displayName).toBe('Ann');
  });

  it('403 | codes and deletion, where the first passkey is added right before they are written', async () => {
    for (const change of [makeCodes, deleteAccount]) {
      await begin(person());
      const add = await firstPasskey();
      beforeNextTransaction(here, async () => expect(await add()).toBe(200));
      expect(await change()).toBe(AGAIN);
      expect(await countCodes()).toBe(0);
    }
  });

  it('makes no codes that outlive the first passkey, nor deletes or recovers its account, at once with it', async () => {
    for (let round = 0; round < 12; round += 1) {
      await begin(person());
      const add = await firstPasskey();
      const [added, ...made] = await Promise.all([add(), makeCodes(), makeCodes()]);
      expect(added).toBe(200);
      for (const status of made) expect([200, AGAIN]).toContain(status);
      expect(await countCodes()).toBe(0);

      await begin(person());
      const addAnother = await firstPasskey();
      const both = await Promise.all([deleteAccount(), addAnother()]);
      expect([
        [204, 403],
        [AGAIN, 200],
      ]).toContainEqual(both);

      await begin(person());
      const [code = ''] = await codesOf();
      const addThird = await firstPasskey();
      const recovered = await Promise.all([recoverWith(code), addThird()]);
      expect([
        [200, 403],
        [400, 200],
      ]).toContainEqual(recovered);
    }
  });

  it('leaves a way in by an administrator’s link, after which everything is fresh', async () => {
    await begin(person());
    const id = String((await userOf())?.id);
    const link = await new Admin(here).text('users', 'recover', id, '--origin', here.origin);
    const code = /#(\w+)/.exec(link)?.[1];
    const phone = new Browser(here).at(there);
    expect((await phone.post('/svc/recovery', { code })).status).toBe(200);
    expect((await phone.addPasskey()).status).toBe(200);
    expect((await phone.signIn()).status).toBe(200);
    expect((await userOf(phone))?.id).toBe(id);
  });
});

describe('a sign-in of a team’s own, with APPROVALS=passkey', () => {
  const gatehouse = useGatehouse(() => startTeamApp(extension, { ...LINKS, APPROVALS: 'passkey' }));
  afterEach(restoreClock);

  it('connects no app by a form that was open when the account got its first passkey', async () => {
    const client = await OAuthClient.register(gatehouse);
    const scopes = ['account:read', 'tabs:write'];
    for (const isLast of [false, true]) {
      const browser = new Browser(gatehouse);
      const ann = person();
      await browser.post(SIGN_IN, ann);
      const thief = new Browser(gatehouse);
      await thief.post(SIGN_IN, ann);
      const handle = await client.showConsent(thief);
      const add = async () => expect((await browser.addPasskey()).status).toBe(200);
      if (isLast) beforeNextTransaction(gatehouse, add);
      else await add();
      const answer = await client.answerConsent(thief, handle, scopes);
      expect([answer.status, answer.headers.location]).toEqual([403, undefined]);
      expect(answer.text).toContain('sign in with your passkey');
      expect((await browser.get('/svc/me/apps')).json()).toEqual({ apps: [] });
      await browser.signIn();
      await client.authorize(browser, scopes);
    }
  });

  itWithClock('connects no app by a form that was open for longer than it was fresh', async () => {
    const browser = new Browser(gatehouse);
    await browser.post(SIGN_IN, person());
    const client = await OAuthClient.register(gatehouse);
    advanceClock(6 * MINUTE_MS);
    const handle = await client.showConsent(browser);
    advanceClock(4 * MINUTE_MS + 1000);
    const answer = await client.answerConsent(browser, handle, ['account:read']);
    expect(answer.status).toBe(403);
  });

  it('connects an app of an account without a passkey', async () => {
    const browser = new Browser(gatehouse);
    await browser.post(SIGN_IN, person());
    const client = await OAuthClient.register(gatehouse);
    await client.connect(browser, ['account:read']);
  });
});

describe('a sign-in of a team’s own, where sign-up is not open', () => {
  it.each([
    ['closed', 'this service is not accepting new accounts'],
    ['invite', 'you need an invitation code'],
  ])('403 | a new person with SIGN_UP=%s; people with an account go on', async (signUp, words) => {
    const open = await startTeamApp(extension);
    const ann = person();
    await new Browser(open).post(SIGN_IN, ann);
    const narrow = await startTeamApp(extension, { SIGN_UP: signUp }, open);
    const known = await new Browser(narrow).post(SIGN_IN, ann);
    // As managed access makes it, which SIGN_UP does not apply to.
    const managed = person();
    const admission = { origin: narrow.origin, signUpApplies: false };
    await narrow.app.get(ExternalAccountsService).findOrCreate(managed as never, admission);
    expect((await new Browser(narrow).post(SIGN_IN, managed)).status).toBe(302);
    const stranger = await new Browser(narrow).post(SIGN_IN, person());
    expect([known.status, stranger.status]).toEqual([302, 403]);
    expect(stranger.text).toContain(words);
    await narrow.stop();
    await open.stop();
  });
});

describe('a service without SIGN_IN_LINKS and without a team’s sign-in', () => {
  const gatehouse = useGatehouse(() => startTeamApp({}));

  it('sets no cookie on its sign-in pages, and has no links there', async () => {
    const browser = new Browser(gatehouse);
    const client = await OAuthClient.register(gatehouse);
    for (const path of ['/svc/account', client.authorizePath()]) {
      const page = await browser.get(path);
      expect([page.status, page.headers['set-cookie']]).toEqual([200, undefined]);
      expect(page.text).not.toContain('sign-in-links');
    }
    await browser.signUp();
    const page = await browser.get('/svc/account');
    expect(page.headers['set-cookie']).toBeUndefined();
    expect(page.text).not.toContain('sign-in-links');
  });

  it('has no route for it', async () => {
    const answer = await new Browser(gatehouse).post(SIGN_IN, person());
    expect(answer.status).toBe(404);
  });
});
