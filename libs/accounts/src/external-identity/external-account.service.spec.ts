import { AccountTurns } from '#libs/platform';
import { describeOnDatabases } from '#libs/platform/testing';
import { accountsMigrations } from '../migrations/accounts-migrations.js';
import { SessionEntity } from '../session/session.entity.js';
import { BrowserSessionsService } from '../session/session.service.js';
import { SessionStore } from '../session/session.store.js';
import type { SignUp } from '../accounts.module-definition.js';
import { AccountPolicy, type Applicant } from '../sign-up/account-policy.js';
import { InviteEntity } from '../sign-up/invite.entity.js';
import { InviteStore } from '../sign-up/invite.store.js';
import { SignUpService } from '../sign-up/sign-up.service.js';
import { UserEntity } from '../user/user.entity.js';
import { UserStore } from '../user/user.store.js';
import { ExternalAccountsService } from './external-account.service.js';
import { ExternalIdentityEntity } from './external-identity.entity.js';
import { ExternalIdentityStore } from './external-identity.store.js';

const OPTIONS = {
  sessionLifetimes: { idleMs: 60_000, maxMs: 60_000 },
  rateLimit: { max: 1, periodMs: 1 },
};

const schema = {
  entities: [UserEntity, SessionEntity, InviteEntity, ExternalIdentityEntity],
  migrations: accountsMigrations,
};

class TestPolicy extends AccountPolicy {
  signUp: SignUp = 'open';
  refusal: string | undefined;
  readonly asked: Applicant[] = [];

  async refusalOf(applicant: Applicant) {
    this.asked.push(applicant);
    return this.refusal;
  }
}

const IDP = 'https://idp.example';
const ORIGIN = 'https://gate.example';
const SIGN_IN = { origin: ORIGIN, signUpApplies: true };
const MANAGED = { origin: ORIGIN, signUpApplies: false };

describeOnDatabases('accounts of people identified elsewhere', schema, (replicas) => {
  let policy: TestPolicy;
  let people = 0;
  const users = () => replicas()[0].manager;

  beforeEach(() => {
    policy = new TestPolicy();
  });

  const store = (replica: 0 | 1 = 0) => new ExternalIdentityStore(replicas()[replica]);
  const accounts = (replica: 0 | 1 = 0) => {
    const dataSource = replicas()[replica];
    const userStore = new UserStore(dataSource);
    const sessionStore = new SessionStore(dataSource, userStore);
    const sessions = new BrowserSessionsService(
      OPTIONS,
      sessionStore,
      userStore,
      new AccountTurns(),
    );
    const invites = new InviteStore(dataSource);
    const signUps = new SignUpService(policy, invites, dataSource, userStore, sessions);
    const stores = [dataSource, store(replica), userStore] as const;
    return new ExternalAccountsService(...stores, signUps, sessions);
  };
  const person = () => ({ issuer: IDP, subject: `person-${++people}`, displayName: 'Ann' });

  it('keeps apart identities that differ in case, in a trailing space or by issuer', async () => {
    const ann = { ...person(), subject: 'ann' };
    const others = [
      ann,
      { ...ann, subject: 'Ann' },
      { ...ann, subject: 'ann ' },
      { ...ann, issuer: `${IDP}/` },
    ];
    const found = [];
    for (const other of others) found.push(await accounts().findOrCreate(other, SIGN_IN));
    expect(new Set(found.map(({ user }) => user.id)).size).toBe(4);
  });

  it('links an identity to one account, whatever runs in parallel, and unlinks it once', async () => {
    const ann = person();
    const owners = [await accounts().findOrCreate(person(), SIGN_IN)];
    owners.push(await accounts().findOrCreate(person(), SIGN_IN));
    const links = Array.from({ length: 10 }, (_, n) => {
      const at = n % 2 ? 1 : 0;
      return store(at).link(replicas()[at], ann, owners[at]?.user.id ?? '');
    });
    expect((await Promise.all(links)).filter(Boolean)).toHaveLength(1);
    const linked = await accounts().find(ann);
    expect(owners.map(({ user }) => user)).toContainEqual(linked);
    expect(await store().list(linked?.id ?? '')).toHaveLength(2);
    expect(await store().unlink(ann, 'another')).toBe(false);
    const unlinks = Array.from({ length: 4 }, () => store().unlink(ann, linked?.id ?? ''));
    expect((await Promise.all(unlinks)).filter(Boolean)).toHaveLength(1);
    expect(await accounts().find(ann)).toBeUndefined();
  });

  it('begins no session of an account that was unlinked, disabled or deleted since it was found', async () => {
    const ann = person();
    const { user } = await accounts().findOrCreate(ann, SIGN_IN);
    const context = { origin: ORIGIN, hostname: 'gate.example', secure: true, browser: null };
    const start = () => accounts().startSession(user, ann, { ...context, carried: undefined });
    expect((await start()).endedSessions).toEqual([]);
    await users().update(ExternalIdentityEntity, { userId: user.id }, { subject: 'another' });
    await expect(start()).rejects.toMatchObject({ status: 503 });
    await users().update(ExternalIdentityEntity, { userId: user.id }, { subject: ann.subject });
    await users().update(UserEntity, { id: user.id }, { disabledAt: 1 });
    await expect(start()).rejects.toMatchObject({ status: 403, userId: user.id });
    await users().delete(UserEntity, { id: user.id });
    await expect(start()).rejects.toMatchObject({ status: 503 });
    expect(await users().countBy(SessionEntity, { userId: user.id })).toBe(0);
  });

  it('forgets the identities of a deleted account', async () => {
    const ann = person();
    const { user } = await accounts().findOrCreate(ann, SIGN_IN);
    await users().delete(UserEntity, { id: user.id });
    expect(await users().countBy(ExternalIdentityEntity, { userId: user.id })).toBe(0);
    expect((await accounts().findOrCreate(ann, SIGN_IN)).user.id).not.toBe(user.id);
  });

  it.each<[SignUp, boolean]>([
    ['closed', false],
    ['invite', false],
    ['open', true],
  ])('applies sign-up %s to a sign-in, and not to managed access', async (signUp, isOpen) => {
    policy.signUp = signUp;
    const signingIn = accounts().findOrCreate(person(), SIGN_IN);
    const outcome = await signingIn.then(
      () => 'created',
      (error: { status: number }) => error.status,
    );
    expect(outcome).toBe(isOpen ? 'created' : 403);
    expect((await accounts().findOrCreate(person(), MANAGED)).isNew).toBe(true);
  });

  it('lets the policy refuse, which knows the identity, and never asks it for an account there is', async () => {
    const ann = person();
    await accounts().findOrCreate(ann, SIGN_IN);
    policy.refusal = 'people of Acme only';
    await accounts().findOrCreate(ann, SIGN_IN);
    const eve = person();
    for (const admission of [SIGN_IN, MANAGED]) {
      const refused = { status: 403, message: 'people of Acme only' };
      await expect(accounts().findOrCreate(eve, admission)).rejects.toMatchObject(refused);
    }
    expect(policy.asked.at(-1)).toEqual({
      displayName: 'Ann',
      origin: ORIGIN,
      identity: { issuer: IDP, subject: eve.subject },
    });
    expect(policy.asked).toHaveLength(3);
    expect(await accounts().find(eve)).toBeUndefined();
  });

  it('refuses a subject of 10,000 characters, without asking the policy', async () => {
    const long = { ...person(), subject: 'x'.repeat(10_000) };
    await expect(accounts().findOrCreate(long, SIGN_IN)).rejects.toMatchObject({ status: 400 });
    expect(policy.asked).toEqual([]);
  });
});
