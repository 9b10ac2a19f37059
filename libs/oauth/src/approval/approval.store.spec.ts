import { PreparedStatement } from '#libs/platform';
import { advanceClock, restoreClock } from '#libs/platform/testing';
import { UserEntity } from '#libs/accounts';
import { ClientBlockEntity } from '../client/client-block.store.js';
import { ConnectionStore } from '../grant/connection.store.js';
import { GrantEntity } from '../grant/grant.entity.js';
import { GrantStore } from '../grant/grant.store.js';
import {
  beginGrant,
  describeOAuthOnDatabases,
  describeOAuthOnPostgres,
} from '../testbed/oauth-database.testbed.js';
import { APPROVAL_LIFETIME_MS, type CallToApprove, ENDED_KEPT_MS } from './approval.js';
import { ApprovalEntity } from './approval.entity.js';
import { ApprovalMeter } from './approval-meter.js';
import { ApprovalStore, type Asked, type Decision } from './approval.store.js';

const SCOPES = ['account:read', 'tabs:read', 'tabs:write', 'code:run'];

class Counts extends ApprovalMeter {
  readonly ends: string[] = [];

  override ended(kind: string, decision: string) {
    this.ends.push(`${kind} ${decision}`);
  }
}

describeOAuthOnDatabases('requests to people', (replicas) => {
  let grantId: string;
  let userId: string;
  let meter: Counts;
  let stores: readonly [ApprovalStore, ApprovalStore];
  let connections: ConnectionStore;
  let store: ApprovalStore;

  const manager = () => replicas()[0].manager;
  const given = (members: Partial<GrantEntity>, id = grantId) =>
    manager().update(GrantEntity, { id }, members);
  /** A further connection of the same account. */
  const connect = async () => {
    const id = await beginGrant(replicas()[0]);
    await given({ userId, familyHash: id, scope: 'account:read' }, id);
    return id;
  };
  const callOf = (call: Partial<CallToApprove> = {}): CallToApprove => ({
    grantId,
    userId,
    scope: 'code:run',
    method: 'tools/call',
    name: 'run_code',
    title: 'Run code',
    page: null,
    input: { code: '1' },
    needsPasskey: false,
    mayAllowAlways: true,
    ...call,
  });
  const ask = (call?: Partial<CallToApprove>, on = store) => on.ask(callOf(call));
  const approvalOf = (asked: Asked) => {
    if (!('approval' in asked)) throw new Error(asked.outcome);
    return asked.approval;
  };
  const askFor = async (call?: Partial<CallToApprove>) => approvalOf(await ask(call));
  const decided = async (decision: Decision, call?: Partial<CallToApprove>) => {
    const approval = await askFor(call);
    expect(await store.decide(approval, decision, false)).toBe(true);
    return approval;
  };
  const stateOf = async (id: string) => (await store.find(id))?.state;
  const rowOf = (id: string) => manager().findOneByOrFail(ApprovalEntity, { id });
  const atOnce = <T>(count: number, run: (on: ApprovalStore, n: number) => Promise<T>) =>
    Promise.all(Array.from({ length: count }, (_, n) => run(n % 2 ? stores[1] : stores[0], n)));
  const changing = (change: Parameters<ConnectionStore['change']>[1]) =>
    connections.change(grantId, change);

  beforeEach(async () => {
    await manager().createQueryBuilder().delete().from(ApprovalEntity).execute();
    grantId = await beginGrant(replicas()[0]);
    ({ userId } = await manager().findOneByOrFail(GrantEntity, { id: grantId }));
    await given({ familyHash: grantId, expiresAt: Date.now() + 100 * ENDED_KEPT_MS });
    meter = new Counts();
    const [here, there] = replicas();
    connections = new ConnectionStore(here);
    connections.within({ scopesFor: () => SCOPES });
    store = new ApprovalStore(here, connections);
    stores = [store, new ApprovalStore(there, new ConnectionStore(there))];
    for (const each of stores) each.countWith(meter);
  });
  afterEach(restoreClock);

  it('of 100 different calls at once, 5 of a connection are asked', async () => {
    const asked = await atOnce(100, (on, n) => ask({ input: { code: `${n}` } }, on));
    const outcomes = asked.map(({ outcome }) => outcome);
    expect(outcomes.filter((outcome) => outcome === 'open')).toHaveLength(5);
    expect(new Set(outcomes)).toEqual(new Set(['open', 'full']));
    expect(await store.listOpen(userId)).toHaveLength(5);
  });

  it('of 100 different calls at once, 20 of an account are asked', async () => {
    const grants = await Promise.all(Array.from({ length: 10 }, connect));
    const asked = await atOnce(100, (on, n) =>
      ask({ grantId: grants[n % 10] ?? '', input: { code: `${n}` } }, on),
    );
    expect(asked.filter(({ outcome }) => outcome === 'open')).toHaveLength(20);
    expect(await store.listOpen(userId)).toHaveLength(20);
    await given(
      { revokedAt: Date.now() },
      approvalOf(asked.find((one) => 'approval' in one) as Asked).grantId,
    );
    expect((await store.listOpen(userId)).length).toBeLessThan(20);
    // Those of a connection that ended leave their place to others.
    expect((await ask()).outcome).toBe('open');
  });

  it('of 100 equal calls at once are one request', async () => {
    const asked = await atOnce(100, (on) => ask({}, on));
    expect(new Set(asked.map((one) => approvalOf(one).id)).size).toBe(1);
    expect(asked.filter((one) => 'isNew' in one)).toHaveLength(1);
  });

  it('are one request where only the order of members or the spelling of a number differ', async () => {
    const { id } = await askFor({ input: JSON.parse('{"a":1,"b":{"c":10,"d":[1]}}') });
    const same = await askFor({ input: JSON.parse('{"b":{"d":[1.0],"c":1e1},"a":1.00}') });
    expect(same.id).toBe(id);
    const others: Partial<CallToApprove>[] = [
      { input: JSON.parse('{"a":1,"b":{"c":10,"d":["1"]}}') },
      { input: JSON.parse('{"a":1,"b":{"c":10,"d":[1,1]}}') },
      { name: 'run_code2', input: JSON.parse('{"a":1,"b":{"c":10,"d":[1]}}') },
      { method: 'prompts/get', input: JSON.parse('{"a":1,"b":{"c":10,"d":[1]}}') },
    ];
    const ids = await Promise.all(others.map(async (other) => (await askFor(other)).id));
    expect(new Set([id, ...ids]).size).toBe(5);
  });

  it('are other requests for a number beyond all numbers of JSON, and show it', async () => {
    const inputs = ['{"a":null}', '{"a":1e999}', '{"a":-1e999}', '{"a":"Infinity"}'];
    const asked = await Promise.all(inputs.map((input) => askFor({ input: JSON.parse(input) })));
    expect(new Set(asked.map(({ id }) => id)).size).toBe(inputs.length);
    expect(asked.map((approval) => approval.arguments)).toEqual([
      '{"a":null}',
      '{"a":"Infinity"}',
      '{"a":"-Infinity"}',
      '{"a":"Infinity"}',
    ]);
  });

  it.each<Decision>(['once', 'always', 'no'])(
    'decided %s by 40 at once are decided by one',
    async (decision) => {
      const approval = await askFor();
      const words: Decision[] = [decision, 'once', 'no', 'always'];
      const wins = await atOnce(40, (on, n) => on.decide(approval, words[n % 4] ?? 'no', false));
      expect(wins.filter(Boolean)).toHaveLength(1);
      const { state, decidedAt, arguments: kept } = await rowOf(approval.id);
      expect([words, decidedAt, kept]).toEqual([
        expect.arrayContaining([state]),
        expect.any(Number),
        null,
      ]);
      expect(meter.ends).toEqual([`permission ${state}`]);
      const { permissions, scope } = await manager().findOneByOrFail(GrantEntity, { id: grantId });
      expect([permissions, scope.includes('code:run')]).toEqual([null, state === 'always']);
    },
  );

  it('are found by one statement where many calls look at the same moment', async () => {
    const ids = await Promise.all(['one', 'two'].map(async (name) => (await askFor({ name })).id));
    const ran = jest.spyOn(PreparedStatement.prototype, 'run');
    const looks = Array.from({ length: 40 }, (_, n) => stores[0].find(ids[n % 2] ?? ''));
    const found = await Promise.all([...looks, stores[0].find('unknown')]);
    const statements = ran.mock.contexts as PreparedStatement[];
    expect(statements.map(({ name }) => name)).toEqual(['approvals']);
    ran.mockRestore();
    const wanted = Array.from({ length: 40 }, (_, n) => ids[n % 2]);
    expect(found.map((one) => one?.id)).toEqual([...wanted, undefined]);
  });

  it('allowed always are spent by one of 40 calls that waited for that', async () => {
    const { id } = await decided('always');
    const spent = await atOnce(40, (on) => on.spend(id));
    expect(spent.filter(Boolean)).toHaveLength(1);
  });

  it('allowed by now say within which credits, as those allowed once do', async () => {
    await decided('once');
    await changing({ dailyCredits: 7 });
    expect(await ask()).toMatchObject({ outcome: 'approved', limit: { dailyCredits: 7 } });
    await changing({ permissions: { 'code:run': 'allow' } });
    expect(await ask()).toEqual({ outcome: 'allowed', limit: { dailyCredits: 7 } });
  });

  it('allowed once are spent by one of 40 calls at once', async () => {
    const { id } = await decided('once');
    const spent = await atOnce(40, (on) => on.spend(id));
    expect(spent.filter(Boolean)).toHaveLength(1);
    const approval = await askFor();
    expect(approval.id).not.toBe(id);
    await store.decide(approval, 'once', false);
    const asked = await atOnce(40, (on) => ask({}, on));
    expect(asked.filter(({ outcome }) => outcome === 'approved')).toHaveLength(1);
    expect(new Set(asked.map((one) => approvalOf(one).id)).size).toBe(2);
  });

  it.each<[string, Partial<GrantEntity>]>([
    ['has ended', { revokedAt: 1 }],
    ['is paused', { isPausedByPerson: true }],
  ])('allowed once are not spent when their connection %s meanwhile', async (_how, change) => {
    const { id } = await decided('once');
    await given(change);
    expect(await store.spend(id)).toBe(false);
  });

  it('allowed once can be given back to the same call, not beyond their time', async () => {
    const { id } = await decided('once');
    expect((await ask()).outcome).toBe('approved');
    await store.giveBack(id);
    expect((await ask()).outcome).toBe('approved');
    await store.giveBack(id);
    advanceClock(APPROVAL_LIFETIME_MS + 1);
    expect(await store.spend(id)).toBe(false);
    expect((await ask()).outcome).toBe('open');
  });

  it.each<[string, Parameters<typeof changing>[0], Parameters<typeof changing>[0]]>([
    ['paused', { isPausedByPerson: true }, { isPausedByPerson: false }],
    ['its scope turned off', { permissions: { 'code:run': 'off' } }, {}],
    ['it may not ask', { mayAsk: false }, { mayAsk: true }],
  ])(
    'allowed once are asked again after their connection was narrowed: %s',
    async (_what, ...by) => {
      const { id } = await decided('once');
      for (const change of by) await changing(change);
      expect(await stateOf(id)).toBe('expired');
      expect(await ask()).toMatchObject({ outcome: 'open', isNew: true });
      expect(meter.ends).toEqual(['permission once']);
    },
  );

  it('allowed once stay so when their connection is narrowed elsewhere, or after they ran', async () => {
    const { id } = await decided('once');
    await changing({ permissions: { 'tabs:read': 'off' }, dailyCredits: 1 });
    expect((await ask()).outcome).toBe('approved');
    await changing({ isPausedByPerson: true });
    expect(await stateOf(id)).toBe('once');
  });

  it('allowed once are not given back after their connection was narrowed', async () => {
    const { id } = await decided('once');
    expect(await store.spend(id)).toBe(true);
    await changing({ permissions: { 'code:run': 'off' } });
    await store.giveBack(id);
    expect(await store.spend(id)).toBe(false);
    expect(await ask()).toMatchObject({ outcome: 'open', isNew: true });
    expect(await stateOf(id)).toBe('once');
  });

  it.each<[string, Parameters<typeof changing>[0], Parameters<typeof changing>[0]]>([
    ['pauses it', { isPausedByPerson: true }, { isPausedByPerson: false }],
    ['no longer lets it ask', { mayAsk: false }, { mayAsk: true }],
  ])(
    'decided while a change %s are ended or allow nothing after it',
    async (_what, change, back) => {
      for (let round = 0; round < 20; round += 1) {
        const approval = await askFor({ input: { round } });
        await Promise.all([stores[1].decide(approval, 'once', false), changing(change)]);
        await changing(back);
        expect(await store.spend(approval.id)).toBe(false);
      }
    },
  );

  it('allowed once without a passkey do not allow the same call once it needs one', async () => {
    const { id } = await decided('once');
    const asked = await ask({ needsPasskey: true });
    expect([asked.outcome, approvalOf(asked).id === id]).toEqual(['open', false]);
  });

  it('refused are refused for 10 minutes, the same call or, of a permission, its scope', async () => {
    await given({ scope: 'account:read tabs:write', permissions: '{"tabs:write":"ask"}' });
    await decided('no');
    await decided('no', { scope: 'tabs:write', name: 'call_tab' });
    const outcomes = async () => [
      (await ask()).outcome,
      (await ask({ input: { code: '2' } })).outcome,
      (await ask({ scope: 'tabs:write', name: 'call_tab' })).outcome,
      (await ask({ scope: 'tabs:write', name: 'call_tab', input: {} })).outcome,
      (await ask({ scope: 'tabs:read', name: 'list_tabs' })).outcome,
    ];
    expect(await outcomes()).toEqual(['refused', 'refused', 'refused', 'open', 'open']);
    advanceClock(APPROVAL_LIFETIME_MS + 1);
    expect(await outcomes()).toEqual(['open', 'open', 'open', 'open', 'open']);
  });

  it('allowed once after a no to another call of the scope are allowed', async () => {
    const other = await askFor({ input: { code: '2' } });
    await decided('no');
    advanceClock(1);
    expect(await store.decide(other, 'once', false)).toBe(true);
    expect((await ask({ input: { code: '2' } })).outcome).toBe('approved');
    expect((await ask({ input: { code: '2' } })).outcome).toBe('refused');
  });

  it('allowed always allow the scope with the decision, or neither', async () => {
    const approval = await askFor();
    let isBroken = true;
    connections.afterChange(async () => {
      if (isBroken) throw new Error('no change');
      return () => undefined;
    });
    await expect(store.decide(approval, 'always', false)).rejects.toThrow('no change');
    expect([await stateOf(approval.id), meter.ends]).toEqual(['open', []]);
    isBroken = false;
    expect(await store.decide(approval, 'always', true)).toBe(true);
    expect(meter.ends).toEqual(['permission always']);
    expect(await store.find(approval.id)).toMatchObject({ state: 'always', isByPasskey: true });
    const { scope } = await manager().findOneByOrFail(GrantEntity, { id: grantId });
    expect(scope).toBe('account:read code:run');
  });

  it('decided always by 20 people and changes of the connection at once do not wait for each other', async () => {
    await given({ permissions: '{"account:read":"ask"}' });
    const asked = await Promise.all(SCOPES.map((scope) => askFor({ scope, name: scope })));
    await atOnce(20, async (on, n) => {
      const approval = asked[n % 4];
      if (n % 3 === 0) return changing({ dailyCredits: n });
      if (n % 3 === 1) return ask({ input: { n } }, on);
      return approval && store.decide(approval, 'always', false);
    });
    expect(await store.listOpen(userId)).toEqual(expect.any(Array));
  });

  describe('follow a change of their connection', () => {
    let permission: string;
    let call: string;
    let confirmed: string;

    beforeEach(async () => {
      await given({ scope: 'account:read tabs:write', permissions: '{"tabs:write":"ask"}' });
      const write = { scope: 'tabs:write' };
      permission = (await askFor()).id;
      call = (await askFor({ ...write, name: 'send_message' })).id;
      const bound = { needsPasskey: true, mayAllowAlways: false };
      confirmed = (await askFor({ ...write, ...bound, name: 'page_pay' })).id;
    });
    const states = async () => [
      await stateOf(permission),
      await stateOf(call),
      await stateOf(confirmed),
    ];

    it.each([
      [{ isPausedByPerson: true }, ['expired', 'expired', 'expired']],
      [{ isPausedByAdministrator: true }, ['expired', 'expired', 'expired']],
      [{ mayAsk: false }, ['expired', 'open', 'open']],
      [{ permissions: { 'tabs:write': 'allow' } }, ['open', 'always', 'open']],
      [{ permissions: { 'code:run': 'allow' } }, ['always', 'open', 'open']],
      [{ permissions: { 'code:run': 'ask' } }, ['open', 'open', 'open']],
      [{ permissions: { 'tabs:write': 'off' } }, ['open', 'open', 'open']],
      [{ mayAsk: false, permissions: { 'tabs:write': 'off' } }, ['expired', 'expired', 'expired']],
      [{ dailyCredits: 1 }, ['open', 'open', 'open']],
    ] as const)('%j', async (change, expected) => {
      await changing(change);
      expect(await states()).toEqual(expected);
      const ended = expected.filter((state) => state !== 'open');
      expect(meter.ends.map((end) => end.split(' ')[1]).toSorted()).toEqual(ended.toSorted());
    });

    it('that ends it, before anything else is done about them', async () => {
      await new GrantStore(replicas()[0]).revoke(grantId);
      expect(await states()).toEqual(['expired', 'expired', 'expired']);
      expect(await store.listOpen(userId)).toEqual([]);
      const approval = await store.find(permission);
      expect(approval && (await store.decide(approval, 'once', false))).toBe(false);
      expect(await ask({ input: {} })).toEqual({ outcome: 'ended' });
      await store.endOf(grantId);
      await store.endOf(grantId);
      expect(meter.ends).toHaveLength(3);
      expect((await rowOf(permission)).arguments).toBeNull();
    });

    it.each<[string, () => Promise<unknown>]>([
      ['person', () => manager().update(UserEntity, { id: userId }, { disabledAt: Date.now() })],
      [
        'client',
        () => manager().insert(ClientBlockEntity, { kind: 'client', value: 'app', createdAt: 0 }),
      ],
    ])('that an administrator keeps out by its %s', async (_whom, keepOut) => {
      await keepOut();
      expect(await states()).toEqual(['expired', 'expired', 'expired']);
      expect(await ask()).toEqual({ outcome: 'ended' });
      await manager().createQueryBuilder().delete().from(ClientBlockEntity).execute();
    });

    it('that pauses it: nothing is asked until it goes on', async () => {
      await changing({ isPausedByPerson: true });
      expect(await ask()).toEqual({ outcome: 'ended' });
      await changing({ isPausedByPerson: false });
      expect((await ask()).outcome).toBe('open');
      expect(await states()).toEqual(['expired', 'expired', 'expired']);
    });
  });

  it.each([
    ['off, and then it may not ask', [{ permissions: { 'tabs:write': 'off' } }, { mayAsk: false }]],
    ['off, while it may not ask', [{ mayAsk: false }, { permissions: { 'tabs:write': 'off' } }]],
  ] as const)('end with their scope %s, allowed or not', async (_what, changes) => {
    await given({ scope: 'account:read tabs:write', permissions: '{"tabs:write":"ask"}' });
    const write = { scope: 'tabs:write' };
    const open = await askFor(write);
    const [first, second] = changes;
    await changing(first);
    const allowed = await askFor({ ...write, input: {} });
    expect(await store.decide(allowed, 'once', false)).toBe(true);
    await changing(second);
    expect([await stateOf(open.id), await stateOf(allowed.id)]).toEqual(['expired', 'expired']);
    // A call that read the permission before.
    expect(await ask({ ...write, input: { late: true } })).toEqual({ outcome: 'ended' });
    expect(await ask({ input: { late: true } })).toEqual({ outcome: 'ended' });
    expect(await store.listOpen(userId)).toEqual([]);
  });

  it('are not made for what was allowed since the call began, unless each call needs a yes', async () => {
    await given({ scope: 'account:read code:run' });
    expect(await ask()).toMatchObject({ outcome: 'allowed' });
    expect(await askFor({ mayAllowAlways: false })).toMatchObject({ kind: 'call' });
  });

  it('ask for the permission where the scope was turned off since the call began', async () => {
    await given({ scope: 'account:read code:run', permissions: '{"code:run":"ask"}' });
    expect(await askFor()).toMatchObject({ kind: 'call' });
    await changing({ permissions: { 'code:run': 'off' } });
    expect(await askFor({ input: {} })).toMatchObject({ kind: 'permission' });
  });

  it('allowed always allow a call that waits only while the permission is there', async () => {
    const approval = { ...(await decided('always')), state: 'always' } as const;
    expect(await store.limitOf(approval)).toEqual({ dailyCredits: null });
    for (const [change, back] of [
      [{ permissions: { 'code:run': 'off' } }, { permissions: { 'code:run': 'allow' } }],
      [{ permissions: { 'code:run': 'ask' } }, { permissions: { 'code:run': 'allow' } }],
      [{ isPausedByPerson: true }, { isPausedByPerson: false }],
    ] as const) {
      await changing(change);
      expect(await store.limitOf(approval)).toBeUndefined();
      await changing(back);
      expect(await store.limitOf(approval)).toEqual({ dailyCredits: null });
    }
    await new GrantStore(replicas()[0]).revoke(grantId);
    expect(await store.limitOf(approval)).toBeUndefined();
  });

  it('ask for nothing that the issuer of a managed connection does not give', async () => {
    await given({ managedBy: 'Acme', scope: 'code:run', permissions: '{"code:run":"off"}' });
    expect((await ask()).outcome).toBe('open');
    expect(await ask({ scope: 'tabs:write' })).toEqual({ outcome: 'not-given' });
    const allowed = { ...(await decided('once')), state: 'once' } as const;
    expect(await store.limitOf(allowed)).toEqual({ dailyCredits: null });
    await given({ scope: 'account:read' });
    expect(await store.limitOf(allowed)).toBeUndefined();
  });

  it('end after 10 minutes, are shown for an hour more and are deleted then, counted once', async () => {
    const { id } = await askFor();
    advanceClock(APPROVAL_LIFETIME_MS - 1_000);
    expect(await stateOf(id)).toBe('open');
    await store.sweep(100);
    advanceClock(1_000);
    expect(await store.find(id)).toMatchObject({ state: 'expired', arguments: null });
    expect(await store.decide(await askedAgain(), 'no', false)).toBe(true);
    expect((await rowOf(id)).arguments).toBeNull();
    await atOnce(4, (on) => on.sweep(100));
    expect(meter.ends).toEqual(['permission expired', 'permission no']);
    advanceClock(ENDED_KEPT_MS - 1_000);
    expect(await stateOf(id)).toBe('expired');
    advanceClock(1_000);
    expect(await stateOf(id)).toBeUndefined();
    await store.sweep(100);
    expect(await manager().existsBy(ApprovalEntity, { id })).toBe(false);
  });
  const askedAgain = () => askFor({ scope: 'tabs:read', name: 'list_tabs' });

  it('that are swept late are not shown for longer', async () => {
    const { id } = await askFor();
    advanceClock(APPROVAL_LIFETIME_MS + ENDED_KEPT_MS - 1_000);
    expect(await stateOf(id)).toBe('expired');
    await store.sweep(100);
    expect(meter.ends).toEqual(['permission expired']);
    expect((await rowOf(id)).arguments).toBeNull();
    advanceClock(1_000);
    expect(await stateOf(id)).toBeUndefined();
    const unswept = await askFor();
    advanceClock(APPROVAL_LIFETIME_MS + ENDED_KEPT_MS);
    expect(await stateOf(unswept.id)).toBeUndefined();
  });

  it.each([
    ['of 4 KiB', { code: 'x'.repeat(4_096 - 11) }],
    ['of lone surrogates, as JSON writes them', { code: '\ud800'.repeat(600) }],
    ['that are missing', undefined],
  ])('keep arguments %s whole', async (_what, input) => {
    const approval = await askFor({ input });
    expect([approval.isTruncated, approval.arguments]).toEqual([
      false,
      JSON.stringify(input ?? {}),
    ]);
  });

  it.each([
    ['of one byte more', { code: 'x'.repeat(4_096 - 10) }],
    ['with characters of several bytes', { code: '\u05d0'.repeat(2_100) }],
    ['with surrogate pairs at the end', { code: `x${'\u{1f600}'.repeat(1_100)}` }],
    ['of half a MiB of markup', { code: '<script>'.repeat(64 * 1_024) }],
    [
      'with 10,000 members',
      Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [`m${n}`, n])),
    ],
  ])('keep the first 4 KiB of arguments %s, in whole characters', async (_what, input) => {
    const approval = await askFor({ input });
    const kept = String(JSON.parse(approval.arguments ?? ''));
    expect(approval.isTruncated).toBe(true);
    expect(JSON.stringify(input).startsWith(kept)).toBe(true);
    expect(Buffer.byteLength(kept)).toBeGreaterThan(4_096 - 4);
    expect(Buffer.byteLength(kept)).toBeLessThanOrEqual(4_096);
  });
});

describeOAuthOnPostgres('a request that another transaction has locked', (replicas) => {
  afterEach(restoreClock);

  it.each<[string, (store: ApprovalStore, call: CallToApprove) => Promise<unknown>]>([
    ['connection ends', (store, { grantId }) => store.endOf(grantId)],
    ['time is swept', (store) => (advanceClock(APPROVAL_LIFETIME_MS), store.sweep(100))],
    ['account is asked', (store, call) => (advanceClock(APPROVAL_LIFETIME_MS), store.ask(call))],
  ])('lets the others end when their %s', async (_what, end) => {
    const [here, there] = replicas();
    const grantId = await beginGrant(here);
    const { userId } = await here.manager.findOneByOrFail(GrantEntity, { id: grantId });
    await here.manager.update(
      GrantEntity,
      { id: grantId },
      { familyHash: grantId, expiresAt: Date.now() + 100 * ENDED_KEPT_MS },
    );
    const store = new ApprovalStore(here, new ConnectionStore(here));
    const shown = { method: 'tools/call', name: 'run_code', title: 'Run code', page: null };
    const rules = { needsPasskey: false, mayAllowAlways: true };
    const call = { grantId, userId, scope: 'code:run', ...shown, ...rules };
    await store.ask({ ...call, input: 'first' });
    await store.ask({ ...call, input: 'second' });
    const rows = () =>
      here.manager.find(ApprovalEntity, { where: { userId }, order: { createdAt: 'ASC' } });
    const [first] = await rows();
    await there.transaction(async (other) => {
      await other.query('SELECT 1 FROM oauth_approvals WHERE id = $1 FOR UPDATE', [first?.id]);
      await end(store, { ...call, input: 'third' });
      expect((await rows()).map(({ state }) => state).slice(0, 2)).toEqual(['open', 'expired']);
      // What has ended is deleted, too.
      advanceClock(APPROVAL_LIFETIME_MS + ENDED_KEPT_MS);
      await store.sweep(100);
      expect((await rows())[0]?.id).toBe(first?.id);
    });
    await store.sweep(100);
    await store.sweep(100);
    expect(await rows()).toEqual([]);
  });
});
