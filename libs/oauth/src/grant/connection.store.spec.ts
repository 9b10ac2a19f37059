import { randomUUID } from 'node:crypto';
import { beginGrant, describeOAuthOnDatabases } from '../testbed/oauth-database.testbed.js';
import { ApprovalEntity } from '../approval/approval.entity.js';
import { ConnectionStore } from './connection.store.js';
import { GrantEntity } from './grant.entity.js';
import { CODE_LIFETIME_MS, GRANT_LIFETIME_MS } from './grant.js';
import { GrantStore } from './grant.store.js';
import type { Permission } from './permission.js';
import { TokenStore } from '../token/token.store.js';

const DAY = 24 * 60 * 60 * 1000;
const SCOPES = ['account:read', 'tabs:read', 'tabs:write', 'code:run'];

describeOAuthOnDatabases('the change of a connection', (replicas) => {
  let id: string;
  const manager = () => replicas()[0].manager;
  const grant = () => manager().findOneByOrFail(GrantEntity, { id });
  const given = (members: Partial<GrantEntity>) => manager().update(GrantEntity, { id }, members);
  const store = (grantMaxAgeMs?: number, nth = 0) => {
    const made = new ConnectionStore(replicas()[nth] ?? replicas()[0]);
    made.within({ grantMaxAgeMs, scopesFor: () => SCOPES });
    return made;
  };
  const decided = async () => {
    const { scope, permissions } = await grant();
    return [scope, permissions && JSON.parse(permissions)];
  };

  beforeEach(async () => {
    id = await beginGrant(replicas()[0]);
    const expiresAt = Date.now() + GRANT_LIFETIME_MS;
    await given({ scope: 'account:read code:run', familyHash: `f${id}`, expiresAt });
  });

  it('merges permissions by scope, and adds what was never given in the order of the resource', async () => {
    const change = (permissions: Record<string, Permission>) => store().change(id, { permissions });
    await change({ 'code:run': 'off', 'tabs:read': 'off' });
    expect(await decided()).toEqual(['account:read code:run', { 'code:run': 'off' }]);
    await change({ 'tabs:write': 'ask', 'tabs:read': 'allow' });
    const all = 'account:read tabs:read tabs:write code:run';
    expect(await decided()).toEqual([all, { 'code:run': 'off', 'tabs:write': 'ask' }]);
    await change({ 'code:run': 'allow', 'tabs:write': 'allow' });
    expect(await decided()).toEqual([all, null]);
    await change({});
    expect(await decided()).toEqual([all, null]);
  });

  it('adds nothing to what a trusted issuer gave, and keeps what its person narrowed', async () => {
    await given({ managedBy: 'Acme', permissions: '{"tabs:write":"off"}' });
    await store().change(id, { permissions: { 'tabs:read': 'allow', 'code:run': 'ask' } });
    const narrowed = { 'tabs:write': 'off', 'code:run': 'ask' };
    expect(await decided()).toEqual(['account:read code:run', narrowed]);
  });

  it('parallel changes of different members and scopes all hold, on all replicas', async () => {
    const changes = [
      { permissions: { 'account:read': 'off' } },
      { permissions: { 'code:run': 'ask' } },
      { permissions: { 'tabs:read': 'allow' } },
      { permissions: { 'tabs:write': 'ask' } },
      { mayAsk: false },
      { isPausedByPerson: true },
      { dailyCredits: 5 },
      { endsAt: Date.now() + DAY },
    ] as const;
    const replicaCount = replicas().length;
    await Promise.all(
      changes.map((change, n) => store(undefined, n % replicaCount).change(id, change)),
    );
    expect(await decided()).toEqual([
      'account:read tabs:read tabs:write code:run',
      { 'account:read': 'off', 'code:run': 'ask', 'tabs:write': 'ask' },
    ]);
    const { endsAt } = changes[7];
    const members = { mayAsk: false, isPausedByPerson: true, dailyCredits: 5, endsAt };
    expect(await grant()).toMatchObject({ ...members, expiresAt: endsAt });
  });

  it('moves the end of the grant, never beyond 30 days of its last use and its greatest age', async () => {
    const begun = Date.now() - DAY;
    await given({ createdAt: begun, lastUsedAt: begun + 5, expiresAt: begun + 40 * DAY });
    const endingAt = async (endsAt: number | null, maxAgeMs?: number) => {
      await store(maxAgeMs).change(id, { endsAt });
      return (await grant()).expiresAt;
    };
    expect(await endingAt(begun + 3 * DAY)).toBe(begun + 3 * DAY);
    expect(await endingAt(begun + 4 * DAY)).toBe(begun + 4 * DAY);
    expect(await endingAt(begun + 99 * DAY)).toBe(begun + 5 + GRANT_LIFETIME_MS);
    expect(await endingAt(begun + 99 * DAY, 7 * DAY)).toBe(begun + 7 * DAY);
    expect(await endingAt(null)).toBe(begun + 5 + GRANT_LIFETIME_MS);
  });

  it('an earlier end gives no time, also without the greatest age', async () => {
    const begun = Date.now() - DAY;
    await given({ createdAt: begun, lastUsedAt: begun, expiresAt: begun + 7 * DAY });
    for (const days of [9, 8, 6]) await store().change(id, { endsAt: begun + days * DAY });
    expect(await grant()).toMatchObject({ endsAt: begun + 6 * DAY, expiresAt: begun + 6 * DAY });
    await given({ endsAt: null, expiresAt: begun + 7 * DAY });
    await store().change(id, { endsAt: begun + 9 * DAY });
    expect((await grant()).expiresAt).toBe(begun + 7 * DAY);
  });

  it('beside refreshes and what ends other grants it loses nothing, and the end holds', async () => {
    const [here, there = here] = replicas();
    const tokens = new TokenStore(there, {});
    const refreshToken = (generation: number) => ({
      value: `${'f'.repeat(29)}${randomUUID()}`,
      kind: 'RefreshToken' as const,
      grantId: id,
      generation,
      payload: {},
      expiresAt: Date.now() + GRANT_LIFETIME_MS,
    });
    let last = refreshToken(0);
    expect(await tokens.insert(last)).toBe(true);
    for (let round = 1; round <= 12; round += 1) {
      const presented = await tokens.findPresented(last.value);
      if (!presented) throw new Error('not stored');
      last = refreshToken(round);
      const endsAt = round % 3 === 0 ? null : Date.now() + round * DAY;
      const { grant: inUse } = presented;
      const [redeemed, changed, ended] = await Promise.all([
        tokens.redeem({ presented, clientHosts: null, tokens: [last] }),
        store(undefined, 1).change(id, { endsAt, dailyCredits: round }),
        new GrantStore(here).endSurplus(inUse),
        store().change(id, { permissions: { 'tabs:read': round % 2 ? 'ask' : 'off' } }),
      ]);
      expect([redeemed, changed, ended]).toEqual([expect.anything(), expect.anything(), []]);
      const after = await grant();
      expect(after).toMatchObject({ endsAt, dailyCredits: round, revokedAt: null });
      const use = after.lastUsedAt + GRANT_LIFETIME_MS;
      // A refresh token lives from when it was made, just before it is recorded.
      expect(after.expiresAt).toBeLessThanOrEqual(endsAt ?? use);
      expect(after.expiresAt).toBeGreaterThan((endsAt ?? use) - 60_000);
      const word = round % 2 ? 'ask' : 'off';
      expect(JSON.parse(after.permissions ?? '{}')).toEqual({ 'tabs:read': word });
    }
  });

  it('leaves one whose code was not exchanged with the lifetime of the code', async () => {
    await given({ familyHash: null });
    const { createdAt } = await grant();
    await store().change(id, { endsAt: createdAt + DAY });
    expect((await grant()).expiresAt).toBe(createdAt + CODE_LIFETIME_MS);
  });

  it('changes no grant that ended', async () => {
    await new GrantStore(replicas()[0]).revoke(id);
    expect(await store().change(id, { mayAsk: false })).toBeUndefined();
    expect(await store().change('unknown', { mayAsk: false })).toBeUndefined();
    expect((await grant()).mayAsk).toBe(true);
  });

  it('decides by the grant as it is then: of parallel ones that depend on it one changes it', async () => {
    const once = (n: number) =>
      store(undefined, n % replicas().length).change(id, ({ dailyCredits }) => {
        if (dailyCredits !== null) throw new Error('another was first');
        return { dailyCredits: n };
      });
    const results = await Promise.allSettled(Array.from({ length: 16 }, (_, n) => once(n)));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('is one with its further steps: all of it happens, or nothing', async () => {
    const changing = store();
    const committed: string[] = [];
    changing.afterChange(async (on, { userId, isPausedByPerson }, { mayAsk }) => {
      await on.update(ApprovalEntity, { userId }, { state: 'expired' });
      if (isPausedByPerson) throw new Error('does not fit');
      await on.update(GrantEntity, { id }, { dailyCredits: mayAsk ? 1 : 2 });
      return () => committed.push(`mayAsk ${mayAsk}`);
    });
    await expect(changing.change(id, { isPausedByPerson: true })).rejects.toThrow('does not fit');
    expect(await grant()).toMatchObject({ isPausedByPerson: false, dailyCredits: null });
    const changed = await changing.change(id, { mayAsk: false });
    expect([changed?.before.mayAsk, changed?.grant.mayAsk]).toEqual([true, false]);
    expect(await grant()).toMatchObject({ mayAsk: false, dailyCredits: 2 });
    expect(committed).toEqual(['mayAsk false']);
  });
});
