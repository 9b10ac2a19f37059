import { v7 as nextTimeOrderedId } from 'uuid';
import type { SecurityEventType } from '#libs/accounts';
import { describeOnDatabases } from '../../../../test/support/services/describe-on-databases.js';
import { AuditActivityReader, NEWEST } from './activity-reader.sql.js';
import { AuditEventEntity } from './audit-event.entity.js';
import { auditMigrations } from './audit-migrations.js';

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
    await write(row('sign-in', 2, { userId: 'somebody' }), row('sign-in', 2, { userId: null }));
    await write(row('consent-approved', 3, { app: 'Notes', clientId: 'an-id' }));
    expect(await reader().list(userId)).toEqual([
      { type: 'consent-approved', at: 3, app: 'Notes', browser: null },
      { type: 'sign-up', at: 1, app: null, browser: 'Firefox on Linux' },
    ]);
  });

  it('has the id of a client in place of a name that nobody kept', async () => {
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

  it('is looked for in an index that has nothing of that', async () => {
    const [dataSource] = replicas();
    const isSqlite = dataSource.options.type === 'sqlite';
    if (!isSqlite) await dataSource.query('SET enable_seqscan = off');
    const explain = isSqlite ? 'EXPLAIN QUERY PLAN' : 'EXPLAIN';
    const plan = await dataSource.query<object[]>(`${explain} ${NEWEST}`, [userId]);
    expect(JSON.stringify(plan)).toContain('audit_events_activity');
    expect(JSON.stringify(plan)).not.toMatch(/sort|temp b-tree/i);
  });
});
