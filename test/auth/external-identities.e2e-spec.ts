import { Controller, Get, Headers, HttpCode, Post, Query, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { ExternalIdentities, ExternalSignIn, JsonBody, type JsonObject } from '#libs/accounts';
import { advanceClock, restoreClock } from '#libs/platform/testing';
import { startTeamApp, bringGuarded } from '../extending/team-app.js';
import { Admin } from '../support/admin.js';
import { Browser } from '../support/browser.js';
import type { Gatehouse } from '../support/gatehouse.js';
import { itWithClock } from '../support/services/describe-with.js';

const IDP = 'https://idp.example';
const MINUTE_MS = 60_000;
const SIGN_IN_AGAIN = expect.stringContaining('requires a recent sign-in');

/** What a browser sends when the issuer leads it back here. */
const FROM_ISSUER = {
  referer: `${IDP}/`,
  'sec-fetch-site': 'cross-site',
  'sec-fetch-mode': 'navigate',
  'sec-fetch-dest': 'document',
};

/** Believes what it is told: what a team's module does once it has checked the person. */
@Controller('team')
class TeamIdentitiesController {
  constructor(
    private readonly identities: ExternalIdentities,
    private readonly signIn: ExternalSignIn,
  ) {}

  @Post('sign-in')
  async begin(@Req() request: Request, @Res() response: Response, @JsonBody() person: JsonObject) {
    const { user, isNew } = await this.signIn.begin(request, response, person as never);
    began.push({ id: user.id, isNew });
  }

  @Post('link')
  @HttpCode(200)
  async beginLink(@Req() request: Request) {
    return { begun: await this.identities.beginLink(request) };
  }

  @Get('linked')
  async link(
    @Req() request: Request,
    @Query() { issuer, subject }: Record<string, string>,
    @Headers('begun') begun: string,
  ) {
    const identity = { issuer: issuer ?? '', subject: subject ?? '' };
    return { user: await this.identities.link(request, begun, identity) };
  }

  @Post('unlink')
  @HttpCode(200)
  async unlink(@Req() request: Request, @JsonBody() identity: JsonObject) {
    await this.identities.unlink(request, identity as never);
    return {};
  }
}

const began: { readonly id: string; readonly isNew: boolean }[] = [];

let people = 0;
const identity = () => ({ issuer: IDP, subject: `person-${++people}` });
type Identity = ReturnType<typeof identity>;

describe('identities of a team’s own (contract: External sign-in)', () => {
  let gatehouse: Gatehouse;
  let browser: Browser;

  beforeAll(async () => {
    gatehouse = await startTeamApp(bringGuarded(TeamIdentitiesController));
  });
  beforeEach(() => {
    browser = new Browser(gatehouse);
    began.length = 0;
  });
  afterEach(restoreClock);
  afterAll(() => gatehouse.stop());

  const signInElsewhere = (someone: Identity, as = browser) =>
    as.post('/team/sign-in', { ...someone, displayName: 'Ann' });
  const beginLink = async (as = browser) => {
    const answer = await as.post('/team/link');
    return answer.status === 200 ? answer.json<{ begun: string }>().begun : answer;
  };
  const link = async (someone: Identity, begun: unknown, as = browser) => {
    const headers = { ...FROM_ISSUER, begun: String(begun) };
    return as.get(`/team/linked?${new URLSearchParams({ ...someone })}`, headers);
  };
  const identities = () => gatehouse.app.get(ExternalIdentities, { strict: false });
  const linkedTo = async (as = browser) => {
    const { user } = await as.me();
    return (await identities().identitiesOf(user?.id ?? '')).map(({ subject }) => subject);
  };
  const eventsOf = async (as = browser) => {
    const { user } = await as.me();
    const answer = await new Admin(gatehouse).json<{ items: { type: string; host: string }[] }>(
      'audit',
      'list',
      '--user',
      String(user?.id),
    );
    return answer.items
      .flatMap(({ type, host }) => (type.startsWith('identity') ? [`${type} ${host}`] : []))
      .toReversed();
  };

  it('a sign-in says which account it is, and whether it is new', async () => {
    const someone = identity();
    await signInElsewhere(someone);
    const { user } = await browser.me();
    await signInElsewhere(someone, new Browser(gatehouse));
    expect(began).toEqual([
      { id: user?.id, isNew: true },
      { id: user?.id, isNew: false },
    ]);
    const [linked, ...others] = await identities().identitiesOf(user?.id ?? '');
    expect([linked, others]).toEqual([{ ...someone, linkedAt: expect.any(Number) }, []]);
  });

  it('an identity says which account it opens, also a disabled one', async () => {
    const someone = identity();
    expect(await identities().userOf(someone)).toBeUndefined();
    await signInElsewhere(someone);
    const { user } = await browser.me();
    expect(await identities().userOf(someone)).toEqual(user);
    await new Admin(gatehouse).text('users', 'disable', String(user?.id), '--yes');
    expect(await identities().userOf(someone)).toEqual(user);
    const nothing = { issuer: IDP } as Identity;
    await expect(identities().userOf(nothing)).rejects.toMatchObject({ status: 400 });
  });

  it('a person links an identity, signs in with it, and unlinks it', async () => {
    await browser.signUp('Ann');
    const { user } = await browser.me();
    const someone = identity();
    for (let n = 0; n < 2; n += 1) {
      const linked = await link(someone, await beginLink());
      expect([linked.status, linked.json()]).toEqual([200, { user }]);
    }
    expect(await linkedTo()).toEqual([someone.subject]);
    const other = new Browser(gatehouse);
    await signInElsewhere(someone, other);
    expect((await other.me()).user).toEqual(user);
    expect((await browser.post('/team/unlink', someone)).status).toBe(200);
    expect((await browser.post('/team/unlink', someone)).status).toBe(404);
    expect(await linkedTo()).toEqual([]);
    expect(await eventsOf()).toEqual([
      'identity-linked idp.example',
      'identity-unlinked idp.example',
    ]);
  });

  it('401 | begin and unlink | without a session, and where another site leads here', async () => {
    expect(await beginLink()).toMatchObject({ status: 401 });
    expect((await browser.post('/team/unlink', identity())).status).toBe(401);
    await browser.signUp('Ann');
    const led = await browser.post('/team/link', undefined, { origin: IDP });
    expect(led.status).toBe(401);
  });

  it('403 | link | begun by another session, forged, or not at all', async () => {
    const attacker = new Browser(gatehouse);
    await attacker.signUp('Eve');
    const begun = String(await beginLink(attacker));
    await browser.signUp('Ann');
    const own = String(await beginLink());
    const later = own.replace(/^\d+/, String(Date.now() + 3_600_000));
    for (const forged of [begun, later, `${own}x`, own.slice(0, -1), '', '.', 'undefined']) {
      expect((await link(identity(), forged)).status).toBe(403);
    }
    expect((await link(identity(), own, new Browser(gatehouse))).status).toBe(403);
    await browser.post('/svc/auth/logout');
    expect((await link(identity(), own)).status).toBe(403);
  });

  it('409 | link | an identity of another account, enabled or disabled, whose owner keeps it', async () => {
    const someone = identity();
    const owner = new Browser(gatehouse);
    await signInElsewhere(someone, owner);
    const { user } = await owner.me();
    await browser.signUp('Eve');
    const texts = [(await link(someone, await beginLink())).text];
    await new Admin(gatehouse).text('users', 'disable', user?.id ?? '', '--yes');
    const again = await link(someone, await beginLink());
    texts.push(again.text);
    expect([again.status, new Set(texts).size]).toEqual([409, 1]);
    expect(await linkedTo()).toEqual([]);
    expect(await eventsOf()).toEqual([]);
  });

  it('refuses an account that was disabled since it began', async () => {
    await browser.signUp('Ann');
    const { user } = await browser.me();
    const begun = await beginLink();
    await new Admin(gatehouse).text('users', 'disable', user?.id ?? '', '--yes');
    expect((await link(identity(), begun)).status).toBe(403);
    expect(await identities().identitiesOf(user?.id ?? '')).toEqual([]);
  });

  it('400 | link | an identity that cannot be stored', async () => {
    await browser.signUp('Ann');
    expect((await link({ issuer: IDP, subject: 'x'.repeat(256) }, await beginLink())).status).toBe(
      400,
    );
  });

  it('409 | link | of parallel links 20 get in; of those of one identity to several accounts, one', async () => {
    await browser.signUp('Ann');
    const begun = await beginLink();
    const answers = await Promise.all(Array.from({ length: 24 }, () => link(identity(), begun)));
    expect(
      answers
        .map(({ status }) => status)
        .toSorted()
        .slice(19, 21),
    ).toEqual([200, 409]);
    expect(await linkedTo()).toHaveLength(20);
    const shared = identity();
    const links = Array.from({ length: 4 }, async () => {
      const other = new Browser(gatehouse);
      await other.signUp('Bob');
      return (await link(shared, await beginLink(other), other)).status;
    });
    expect((await Promise.all(links)).toSorted()).toEqual([200, 409, 409, 409]);
  });

  it('409 | link | while the same browser signs in by that identity to the account that has it', async () => {
    const rounds = Array.from({ length: 10 }, async () => {
      const someone = identity();
      const anns = new Browser(gatehouse);
      await Promise.all([anns.signUp('Ann'), signInElsewhere(someone, new Browser(gatehouse))]);
      const begun = await beginLink(anns);
      const same = anns.at(gatehouse);
      return Promise.all([link(someone, begun, anns), signInElsewhere(someone, same)]);
    });
    for (const [linked, signedIn] of await Promise.all(rounds)) {
      // The sign-in may come first, and end the session that began to link.
      expect([401, 403, 409]).toContain(linked.status);
      expect(signedIn.status).toBe(302);
    }
  });

  it('409 | unlink | the last identity of an account without a passkey, also of two at once', async () => {
    const [first, second] = [identity(), identity()];
    await signInElsewhere(first);
    const { user } = await browser.me();
    expect((await browser.post('/team/unlink', first)).status).toBe(409);
    const { issuer, subject } = second;
    const options = ['--issuer', issuer, '--subject', subject];
    await new Admin(gatehouse).text('users', 'link', user?.id ?? '', ...options);
    const unlinks = [first, second].map((one) => browser.post('/team/unlink', one));
    expect((await Promise.all(unlinks)).map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expect(await linkedTo()).toHaveLength(1);
  });

  it('404 | unlink | an identity of another account', async () => {
    const someone = identity();
    await signInElsewhere(someone, new Browser(gatehouse));
    await browser.signUp('Eve');
    expect((await browser.post('/team/unlink', someone)).status).toBe(404);
  });

  it('403 | begin, link and unlink | a session by the company of an account with a passkey', async () => {
    await browser.signUp('Ann');
    const someone = identity();
    await link(someone, await beginLink());
    const other = new Browser(gatehouse);
    await signInElsewhere(someone, other);
    const refused = await other.post('/team/link');
    expect([refused.status, refused.text]).toEqual([403, SIGN_IN_AGAIN]);
    expect((await other.post('/team/unlink', someone)).status).toBe(403);
  });

  it('403 | begin and link | an account without a passkey, by the company or by a code made then', async () => {
    const someone = identity();
    await signInElsewhere(someone);
    const { codes } = (await browser.post('/svc/me/recovery-codes', {})).json<{
      codes: string[];
    }>();
    const recovered = new Browser(gatehouse);
    const refusals = [await beginLink()];
    await recovered.post('/svc/recovery', { code: codes[0] });
    refusals.push(await beginLink(recovered));
    const refused = { status: 403, text: expect.stringContaining('add a passkey') };
    expect(refusals).toEqual([expect.objectContaining(refused), expect.objectContaining(refused)]);
    await signInElsewhere(someone);
    await browser.addPasskey();
    await browser.signIn();
    expect((await link(identity(), await beginLink())).status).toBe(200);
  });

  itWithClock('403 | link and unlink | a session that is fresh no longer', async () => {
    await browser.signUp('Ann');
    const someone = identity();
    await link(someone, await beginLink());
    const begun = await beginLink();
    advanceClock(11 * MINUTE_MS);
    expect((await link(identity(), begun)).status).toBe(403);
    for (const path of ['/team/link', '/team/unlink']) {
      const refused = await browser.post(path, someone);
      expect([refused.status, refused.text]).toEqual([403, SIGN_IN_AGAIN]);
    }
    expect(await linkedTo()).toEqual([someone.subject]);
  });
});
