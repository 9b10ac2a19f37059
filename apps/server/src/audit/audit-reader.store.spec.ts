import type { DataSource } from 'typeorm';
import { v7, v7 as nextTimeOrderedId } from 'uuid';
import type { SecurityEventType } from '#libs/accounts';
import { preparedStatements } from '#libs/platform';
import { describeOnDatabases } from '#libs/platform/testing';
import { AuditEventEntity } from './audit-event.entity.js';
import { auditMigrations } from './audit-migrations.js';
import { AuditActivityReader, AuditReader } from './audit-reader.store.js';

interface Row {
  readonly id: string;
}

describe('following the audit trail', () => {
  let rows: Row[];
  let reads: number[];

  const ids = (count: number, msecs = Date.now()) =>
    Array.from({ length: count }, () => v7({ msecs })).toSorted();
  const add = (...added: string[]) => rows.push(...added.map((id) => ({ id })));
  const sorted = () => rows.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const trail = Object.assign(new AuditReader({} as DataSource), {
    list: async ({ limit }: { readonly limit: number }) => {
      const newest = sorted().toReversed();
      const items = newest.slice(0, limit);
      return { items, next: newest.length > limit ? (items.at(-1)?.id ?? null) : null };
    },
    listLater: async (_filter: unknown, after: string, limit: number) => {
      const found = sorted().filter(({ id }) => id > after);
      reads.push(Math.min(found.length, limit));
      return found.slice(0, limit);
    },
  }) as unknown as AuditReader;

  /** The rows that are yielded when `steps` run in sequence, between rounds. */
  async function seenWith(limit: number, ...steps: (() => unknown)[]): Promise<string[]> {
    const pause = async () => {
      const step = steps.shift();
      step?.();
      return step !== undefined;
    };
    const seen: string[] = [];
    for await (const { id } of trail.follow({}, limit, pause)) seen.push(id);
    return seen;
  }

  beforeEach(() => {
    [rows, reads] = [[], []];
  });

  it('begins with the newest rows, the oldest of them first, and goes on with each that comes', async () => {
    const [a = '', b = '', c = '', d = '', e = ''] = ids(5);
    add(a, b, c);
    const steps = [() => add(d), () => {}, () => add(e), () => {}];
    expect(await seenWith(2, ...steps)).toEqual([b, c, d, e]);
  });

  it('misses none that comes after others with later ids, and repeats none', async () => {
    const early = ids(3, Date.now() - 30_000);
    const late = ids(3);
    const [a = '', b = '', c = ''] = early;
    const [x = '', y = '', z = ''] = late;
    add(a, x);
    const steps = [() => add(b, y), () => add(c), () => add(z), () => {}];
    expect(await seenWith(1, ...steps)).toEqual([x, b, y, c, z]);
  });

  it('reads in batches, however many come at once', async () => {
    const many = ids(1201);
    expect(await seenWith(10, () => add(...many))).toEqual(many);
    expect(reads).toEqual([0, 500, 500, 201]);
  });

  it('reads nothing again that is older than a minute', async () => {
    add(...ids(50, Date.now() - 61_000));
    expect(await seenWith(100, () => {})).toHaveLength(50);
    expect(reads).toEqual([0, 0]);
  });
});

const schema = { entities: [AuditEventEntity], migrations: auditMigrations };

describeOnDatabases('activity of an account', schema, (replicas) => {
  const manager = () => replicas()[0].manager;
  const reader = () => new AuditActivityReader(replicas()[1]);
  let accounts = 0;
  let userId: string;

  beforeEach(() => {
    userId = `user-${(accounts += 1)}`;
  });

  const row = (type: SecurityEventType, at: number, more: Partial<AuditEventEntity> = {}) => ({
    id: nextTimeOrderedId(),
    at,
    type,
    userId,
    origin: 'http://a',
    count: 1,
    expiresAt: at + 1,
    ...more,
  });
  const write = (...rows: ReturnType<typeof row>[]) => manager().insert(AuditEventEntity, rows);
  const types = async () => (await reader().list(userId)).map(({ type }) => type);

  it('is what happened to it and to no other, newest first, with app and browser', async () => {
    await write(row('sign-up', 1, { browser: 'Firefox on Linux' }));
    await write(row('sign-in', 2, { userId: 'another-user' }), row('sign-in', 2, { userId: null }));
    await write(row('consent-approved', 3, { app: 'Notes', clientId: 'an-id' }));
    expect(await reader().list(userId)).toEqual([
      { type: 'consent-approved', at: 3, app: 'Notes', browser: null },
      { type: 'sign-up', at: 1, app: null, browser: 'Firefox on Linux' },
    ]);
  });

  it('has the id of a client when no name was kept', async () => {
    await write(row('app-disconnected', 1, { clientId: 'an-id' }));
    expect(await reader().list(userId)).toMatchObject([{ app: 'an-id' }]);
  });

  it('tells of several that are one row when the last of them happened', async () => {
    await write(row('passkey-renamed', 1, { count: 3, lastAt: 3 }), row('sign-out', 2));
    expect(await reader().list(userId)).toMatchObject([{ at: 3 }, { at: 2 }]);
  });

  it('is the newest hundred, in the order of their ids within a millisecond', async () => {
    const kinds = ['sign-in', 'sign-out'] as const;
    for (let n = 0; n < 102; n += 1) await write(row(kinds[n % 2] ?? 'sign-in', 7));
    await write(row('passkey-added', 7));
    const found = await types();
    expect(found).toHaveLength(100);
    expect(found.slice(0, 3)).toEqual(['passkey-added', 'sign-out', 'sign-in']);
  });

  it('is not buried under what apps do, nor under consents that came to nothing', async () => {
    await write(row('passkey-added', 1));
    const bustle = [
      ...(['tool-called', 'code-exchanged', 'token-refreshed', 'token-revoked'] as const),
      ...(['grant-replaced', 'consent-denied', 'consent-refused'] as const),
    ];
    for (const type of bustle) await write(...Array.from({ length: 100 }, () => row(type, 2)));
    expect(await types()).toEqual(['passkey-added']);
  });

  it('leaves out what was refused while the account was disabled', async () => {
    await write(row('user-disabled', 1), row('sign-in-failed', 2));
    await write(row('managed-access-refused', 3), row('user-enabled', 4));
    expect(await types()).toEqual(['user-enabled', 'user-disabled']);
  });

  it('is looked for in an index that has nothing of that', async () => {
    const [dataSource] = replicas();
    const isSqlite = dataSource.options.type === 'sqlite';
    if (!isSqlite) await dataSource.query('SET enable_seqscan = off');
    const explain = isSqlite ? 'EXPLAIN QUERY PLAN' : 'EXPLAIN';
    const statement = preparedStatements().find(({ name }) => name === 'account-activity');
    const [text] = statement?.textsFor(dataSource) ?? [];
    const plan = await dataSource.query<object[]>(`${explain} ${text}`, [userId]);
    expect(JSON.stringify(plan)).toContain('audit_events_personal');
    expect(JSON.stringify(plan)).not.toMatch(/sort|temp b-tree/i);
  });
});
