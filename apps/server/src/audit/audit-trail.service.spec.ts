import { Logger } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import { SecurityEventsService } from '#libs/accounts';
import {
  PreparedStatement,
  ServiceKeyEntity,
  createDataSource,
  databaseMigrations,
  migrate,
} from '#libs/platform';
import { eventually } from '../../../../test/support/eventually.js';
import { sqliteForTests } from '../../../../test/support/services/storage-for-tests.js';
import { OutboxService } from '../outbox/outbox.service.js';
import { AuditEventEntity } from './audit-event.entity.js';
import { auditMigrations } from './audit-migrations.js';
import { AuditTrailService } from './audit-trail.service.js';

const OUTAGE = new Error('Connection terminated unexpectedly');

type Insert = PreparedStatement['run'];
type Inserted = ReturnType<Insert>;

const insert = PreparedStatement.prototype.run;

describe('audit trail', () => {
  let file: Awaited<ReturnType<typeof sqliteForTests>>;
  let dataSource: DataSource;
  let events: SecurityEventsService;
  let trail: AuditTrailService;
  let complaints: string[];

  beforeEach(async () => {
    complaints = [];
    jest.spyOn(Logger.prototype, 'log').mockImplementation(() => undefined);
    jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    jest.spyOn(Logger.prototype, 'error').mockImplementation((text) => {
      complaints.push(String(text));
    });
    file = await sqliteForTests();
    const entities = [AuditEventEntity, ServiceKeyEntity];
    const schema = { entities, migrations: [...databaseMigrations, ...auditMigrations] };
    dataSource = createDataSource({ type: 'sqlite', path: file.path }, schema);
    await dataSource.initialize();
    await migrate(dataSource);
    events = new SecurityEventsService();
    trail = new AuditTrailService(
      events,
      dataSource,
      new OutboxService({ webhook: undefined, hasSink: false }),
      { retentionMs: 30 * 24 * 60 * 60 * 1000 },
    );
    await trail.onModuleInit();
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await trail.onModuleDestroy();
    await dataSource.destroy();
    await file.dispose();
  });

  const emit = (userId: string) => events.emit({ type: 'sign-in', userId, origin: 'http://a' });

  async function userIds() {
    const rows = await dataSource.query<{ user_id: string }[]>(
      'SELECT user_id FROM audit_events ORDER BY id',
    );
    return rows.map((row) => row.user_id);
  }

  const whenInserting = (work: (execute: () => Inserted) => Inserted) =>
    jest.spyOn(PreparedStatement.prototype, 'run').mockImplementation(function (
      this: PreparedStatement,
      ...rows: Parameters<Insert>
    ) {
      return work(() => insert.apply(this, rows));
    });

  it('has the rows of a replica in the order they happened, within one millisecond and where the clock goes back', async () => {
    const now = jest.spyOn(Date, 'now').mockReturnValue(1_800_000_000_000);
    const users = Array.from({ length: 250 }, (_, n) => `user ${n}`);
    for (const [n, user] of users.entries()) {
      if (n === 200) now.mockReturnValue(1_799_999_999_000);
      emit(user);
    }
    await eventually(async () => expect(await userIds()).toEqual(users));
  });

  it('loses no row to an outage, in which events go on', async () => {
    let isOut = true;
    let refused = 0;
    whenInserting(async (execute) => {
      if (!isOut) return execute();
      refused += 1;
      throw OUTAGE;
    });
    emit('before');
    await eventually(() => expect(refused).toBeGreaterThan(0));
    emit('meanwhile');
    isOut = false;
    await eventually(async () => expect(await userIds()).toEqual(['before', 'meanwhile']));
  });

  it('writes rows again whose answer was lost, and takes no offence at finding them', async () => {
    let isLost = true;
    whenInserting(async (execute) => {
      const result = await execute();
      if (!isLost) return result;
      isLost = false;
      throw OUTAGE;
    });
    emit('ann');
    emit('bob');
    await eventually(async () => expect(await userIds()).toEqual(['ann', 'bob']));
    emit('cid');
    await eventually(async () => expect(await userIds()).toEqual(['ann', 'bob', 'cid']));
    expect(complaints).toEqual([]);
  });

  it('ends with the whole count of a row that is just being written', async () => {
    const begun = Promise.withResolvers<void>();
    const answered = Promise.withResolvers<void>();
    let batches = 0;
    whenInserting(async (execute) => {
      const result = await execute();
      batches += 1;
      if (batches !== 2) return result;
      begun.resolve();
      await answered.promise;
      return result;
    });
    const register = () =>
      events.emit({ type: 'client-registered', userId: null, origin: 'http://a' });
    for (let n = 0; n < 6; n += 1) register();
    await begun.promise;
    register();
    const closed = trail.onModuleDestroy();
    answered.resolve();
    await closed;
    expect(await dataSource.manager.sum(AuditEventEntity, 'count')).toBe(7);
  });

  it('writes what ends with half a character, or has quotes in it', async () => {
    const app = String.raw`"'\u0041, ${'é😀'.slice(0, 2)}`;
    const about = { userId: 'ann', clientId: null, app, origin: 'http://a' };
    events.emit({ type: 'consent-approved', ...about, grantId: 'g' } as never);
    await eventually(async () => expect(await userIds()).toEqual(['ann']));
    const [row] = await dataSource.manager.find(AuditEventEntity);
    expect(row).toMatchObject({ app: app.toWellFormed(), grantId: 'g', count: 1, credits: null });
  });

  it('keeps room in a long outage for what people do, and counts strangers', async () => {
    let isOut = true;
    whenInserting(async (execute) => {
      if (!isOut) return execute();
      throw OUTAGE;
    });
    const users = Array.from({ length: 10_100 }, (_, n) => `user ${n}`);
    for (const user of users) emit(user);
    for (let n = 0; n < 100; n += 1) {
      events.emit({ type: 'client-registered', userId: null, origin: 'http://a' });
    }
    emit('last');
    isOut = false;
    await eventually(async () => {
      expect(await dataSource.manager.count(AuditEventEntity)).toBe(10_102);
    });
    const found = await dataSource.manager.find(AuditEventEntity, { order: { id: 'ASC' } });
    expect(found.map(({ userId }) => userId)).toEqual([...users, null, 'last']);
    expect(found[10_100]?.count).toBe(100);
  });
});
