import type { DataSource, EntityManager } from 'typeorm';
import { SweeperService, expiredRows } from '#libs/platform';
import { describeOnDatabases } from '#libs/platform/testing';
import { accountsMigrations } from '../migrations/accounts-migrations.js';
import { hashReadableCode } from '../secret.js';
import type { RefusalError } from '../http/refusal.error.js';
import { SessionEntity } from '../session/session.entity.js';
import { UserEntity } from '../user/user.entity.js';
import { InviteStore } from './invite.store.js';
import { InviteEntity } from './invite.entity.js';

const DAY_MS = 24 * 60 * 60 * 1000;
const schema = {
  entities: [UserEntity, SessionEntity, InviteEntity],
  migrations: accountsMigrations,
};

describeOnDatabases('invites', schema, (replicas) => {
  const replica = (n: number): DataSource => replicas()[n % 2 === 0 ? 0 : 1];
  const directory = () => new InviteStore(replica(0));
  const create = (uses = 1, lifetimeMs = DAY_MS) =>
    directory().create({ uses, expiresAt: Date.now() + lifetimeMs, createdBy: 'root' });
  const expire = (id: string) => replica(0).manager.update(InviteEntity, { id }, { expiresAt: 1 });
  const spend = (code: string, n = 0, then: (inside: EntityManager) => unknown = () => {}) =>
    replica(n).transaction(async (inside) => {
      const id = await new InviteStore(replica(n)).spend(inside, hashReadableCode(code));
      await then(inside);
      return id;
    });
  const usesLeft = async (id: string) => (await directory().get(id)).usesLeft;

  it('a transaction that fails gives the use back', async () => {
    const { id, code } = await create();
    const failing = () => {
      throw new Error('the machine failed');
    };
    await expect(spend(code, 0, failing)).rejects.toThrow('the machine failed');
    expect(await usesLeft(id)).toBe(1);
    expect(await spend(code, 1)).toBe(id);
  });

  it('is refused with one text: unknown, used up, expired, deleted', async () => {
    const [used, expired, deleted] = [await create(), await create(), await create()];
    await spend(used.code);
    await expire(expired.id);
    await directory().remove(deleted.id);
    const reasons = new Set<string>();
    for (const code of [used.code, expired.code, deleted.code, 'AAAA-AAAA-AAAA-AAAA-AAAA', '']) {
      const expectUsable = () => new InviteStore(replica(1)).expectUsable(code);
      for (const attempt of [expectUsable, () => spend(code, 1)]) {
        const refusal = await attempt().then(String, (error: RefusalError) => error);
        expect(refusal).toMatchObject({ status: 403 });
        reasons.add(String(refusal));
      }
    }
    expect(reasons.size).toBe(1);
  });

  it('a good one and a bad one are looked up by the same statement, and by nothing else', async () => {
    const [fresh, used, expired] = [await create(), await create(), await create()];
    await spend(used.code);
    await expire(expired.id);
    const runner = Object.getPrototypeOf(replica(1).createQueryRunner()) as {
      query(statement: string): Promise<unknown>;
    };
    const query = jest.spyOn(runner, 'query');
    const said = [];
    for (const code of [fresh.code, used.code, expired.code, 'AAAA']) {
      query.mockClear();
      await new InviteStore(replica(1)).expectUsable(code).catch(() => undefined);
      // SQLite's adapter writes some times into the statement.
      said.push(query.mock.calls.map(([text]) => text.replace(/\d{13}/g, 'now')));
    }
    query.mockRestore();
    expect(said[0]).toHaveLength(1);
    expect(new Set(said.map(String)).size).toBe(1);
  });

  it('is good until then, however it is typed, and asking takes no use', async () => {
    const { id, code } = await create();
    const service = new InviteStore(replica(1));
    for (const typed of [code, code.toLowerCase(), code.replaceAll('-', ' ')]) {
      expect(await service.expectUsable(typed)).toBe(hashReadableCode(code));
    }
    expect(await usesLeft(id)).toBe(1);
  });

  it('is stored by the hash of its code, of 100 random bits', async () => {
    const { id, code } = await create();
    expect(code).toMatch(/^([0-9A-HJKMNP-TV-Z]{4}-){4}[0-9A-HJKMNP-TV-Z]{4}$/);
    const row = await replica(0).manager.findOneByOrFail(InviteEntity, { id });
    expect(row.codeHash).toBe(hashReadableCode(code));
    expect(JSON.stringify(row)).not.toContain(code);
    expect(await directory().get(id)).not.toHaveProperty('code');
  });

  it.each([0, -1, 1.5, 10_001, Number.NaN])('cannot be for %d accounts', async (uses) => {
    await expect(create(uses)).rejects.toMatchObject({ status: 400 });
  });

  it.each([0, -1, 366 * DAY_MS, Number.NaN])('cannot end %d ms from now', async (lifetimeMs) => {
    await expect(create(1, lifetimeMs)).rejects.toMatchObject({ status: 400 });
  });

  it('lists those there are, newest first, until the sweeper takes what has expired', async () => {
    await replica(0).manager.deleteAll(InviteEntity);
    const [first, second, third] = [await create(), await create(), await create()];
    for (const [n, { id }] of [first, second, third].entries()) {
      await replica(0).manager.update(InviteEntity, { id }, { createdAt: n });
    }
    await expire(second.id);
    await new SweeperService(replica(1)).add(expiredRows(InviteEntity, 'id')).sweep();
    const page = await directory().list({ limit: 1 });
    expect(page).toMatchObject({ items: [{ id: third.id }], next: third.id });
    const rest = await directory().list({ limit: 1, after: third.id });
    expect(rest).toMatchObject({ items: [{ id: first.id }], next: null });
  });

  it('of an unknown id is 404', async () => {
    const service = directory();
    await expect(service.get('no-such-id')).rejects.toMatchObject({ status: 404 });
    await expect(service.remove('no-such-id')).rejects.toMatchObject({ status: 404 });
  });
});
