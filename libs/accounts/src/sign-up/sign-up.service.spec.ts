import type { DataSource, EntityManager } from 'typeorm';
import type { SignUp } from '../accounts.module-definition.js';
import type { BrowserSessionsService } from '../session/session.service.js';
import type { UserStore } from '../user/user.store.js';
import { AccountPolicy, type Applicant } from './account-policy.js';
import type { InvitesService } from './invite.service.js';
import { SignUpService } from './sign-up.service.js';

const ORIGIN = 'https://gate.example';
const ANN = { displayName: 'Ann', origin: ORIGIN };
const GOOD = '7Q2M-X0VK';

class TestPolicy extends AccountPolicy {
  asked: Applicant[] = [];

  constructor(
    readonly signUp: SignUp,
    private readonly refusal?: string,
  ) {
    super();
  }

  async refusalOf(applicant: Applicant) {
    this.asked.push(applicant);
    return this.refusal;
  }
}

/** Knows one code and records its calls. */
class FakeInvites {
  readonly asked: string[] = [];

  async expectUsable(typed: string) {
    this.asked.push(typed);
    if (typed !== GOOD) throw Object.assign(new Error('not good'), { status: 403 });
    return 'hash';
  }

  async spend(_manager: EntityManager, hash: string) {
    return `invite of ${hash}`;
  }
}

describe('SignUpService', () => {
  let invites: FakeInvites;

  const under = (policy: AccountPolicy) =>
    new SignUpService(
      policy,
      invites as unknown as InvitesService,
      { transaction: async (work: (manager: object) => unknown) => work({}) } as DataSource,
      { insert: async () => undefined } as unknown as UserStore,
      { start: async () => 'token' } as unknown as BrowserSessionsService,
    );
  const finish = (policy: AccountPolicy, inviteHash?: string) => {
    const began = { by: 'registration', credentialId: 'id' } as const;
    const session = { userId: 'ann', origin: ORIGIN, browser: null, began };
    return under(policy).finish({ ...ANN, inviteHash }, session, async () => {});
  };
  const spend = async (signUp: SignUp, hash?: string) =>
    (await finish(new TestPolicy(signUp), hash)).inviteId;

  beforeEach(() => {
    invites = new FakeInvites();
  });

  it('open: the policy alone decides, and no invite is looked at', async () => {
    const policy = new TestPolicy('open');
    const request = await under(policy).begin(ORIGIN, { displayName: ' Ann ', invite: 'whatever' });
    expect(request).toEqual(ANN);
    expect(policy.asked).toEqual([ANN]);
    expect(invites.asked).toEqual([]);
    expect(await spend('open', 'hash')).toBeUndefined();
  });

  it('a refusal of the policy is 403 in its words, at both times', async () => {
    const policy = new TestPolicy('open', 'Ann is not welcome');
    const refused = { status: 403, message: 'Ann is not welcome' };
    await expect(under(policy).begin(ORIGIN, ANN)).rejects.toMatchObject(refused);
    await expect(finish(policy)).rejects.toMatchObject(refused);
  });

  it('closed: 403 whatever is sent, and the policy is not asked further', async () => {
    const policy = new TestPolicy('closed');
    for (const fields of [{ displayName: 'Ann' }, {}, { displayName: 'Ann', invite: GOOD }]) {
      await expect(under(policy).begin(ORIGIN, fields)).rejects.toMatchObject({ status: 403 });
    }
    await expect(finish(policy)).rejects.toMatchObject({ status: 403 });
    expect(policy.asked).toEqual([]);
  });

  it('invite: keeps the hash of a code that is good, which is spent at the end', async () => {
    const service = under(new TestPolicy('invite'));
    const request = await service.begin(ORIGIN, { displayName: 'Ann', invite: ` ${GOOD} ` });
    expect(request).toEqual({ ...ANN, inviteHash: 'hash' });
    expect(await spend('invite', 'hash')).toBe('invite of hash');
  });

  it.each([
    ['missing', undefined],
    ['empty', ' '],
    ['wrong', 'AAAA'],
  ])('invite: a code that is %s is 403, and the policy is not asked', async (_how, invite) => {
    const policy = new TestPolicy('invite');
    const fields = { displayName: 'Ann', ...(invite === undefined ? {} : { invite }) };
    await expect(under(policy).begin(ORIGIN, fields)).rejects.toMatchObject({ status: 403 });
    expect(policy.asked).toEqual([]);
  });

  it('invite: 403 at the end for a sign-up that began without one', async () => {
    await expect(spend('invite')).rejects.toMatchObject({ status: 403 });
  });

  it.each([[7], [null], [true], [[GOOD]], [{}], ['x'.repeat(65)]])(
    'a malformed invite is 400, wanted or not: %j',
    async (invite) => {
      for (const signUp of ['open', 'invite'] as const) {
        const fields = { displayName: 'Ann', invite };
        const begun = under(new TestPolicy(signUp)).begin(ORIGIN, fields);
        await expect(begun).rejects.toMatchObject({ status: 400 });
      }
    },
  );
});
