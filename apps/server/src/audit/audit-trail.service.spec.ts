import { Logger } from '@nestjs/common';
import type { Request, Response } from 'express';
import { type DataSource, IsNull } from 'typeorm';
import { CurrentVisitorMiddleware, type EventFacts, SecurityEventsService } from '#libs/accounts';
import {
  PreparedStatement,
  ServiceKeyEntity,
  createDataSource,
  databaseMigrations,
  migrate,
} from '#libs/platform';
import { eventually, fakeIntervals, sqliteForTests } from '#libs/platform/testing';
import { OutboxService } from '../outbox/outbox.service.js';
import { AuditEventEntity } from './audit-event.entity.js';
import { auditMigrations } from './audit-migrations.js';
import { AuditTrailService } from './audit-trail.service.js';

const OUTAGE = new Error('Connection terminated unexpectedly');
const MINUTE_MS = 60_000;
const NEW_YEAR = Date.UTC(2027, 0, 1);

type Insert = PreparedStatement['run'];
type Inserted = ReturnType<Insert>;

const insert = PreparedStatement.prototype.run;

const visitors = new CurrentVisitorMiddleware({ rateLimit: { max: 9 } } as never);
const from = (ip: string, work: () => void, headers = {}) =>
  visitors.use({ ips: [ip], headers } as unknown as Request, {} as Response, work);

/** An audit trail on a database of its own. */
async function startTrail() {
  const file = await sqliteForTests();
  const entities = [AuditEventEntity, ServiceKeyEntity];
  const schema = { entities, migrations: [...databaseMigrations, ...auditMigrations] };
  const dataSource = createDataSource({ type: 'sqlite', path: file.path }, schema);
  await dataSource.initialize();
  await migrate(dataSource);
  const events = new SecurityEventsService();
  const outbox = new OutboxService({ webhook: undefined, hasSink: false });
  const retentionMs = 30 * 24 * 60 * 60 * 1000;
  const trail = new AuditTrailService(events, dataSource, outbox, { retentionMs });
  await trail.onModuleInit();
  const stop = async () => {
    await trail.onModuleDestroy();
    await dataSource.destroy();
    await file.dispose();
  };
  return { dataSource, events, trail, stop };
}

describe('audit trail', () => {
  let dataSource: DataSource;
  let events: SecurityEventsService;
  let trail: AuditTrailService;
  let stop: () => Promise<void>;
  let complaints: string[];

  beforeEach(async () => {
    complaints = [];
    jest.spyOn(Logger.prototype, 'log').mockImplementation(() => undefined);
    jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    jest.spyOn(Logger.prototype, 'error').mockImplementation((text) => {
      complaints.push(String(text));
    });
    ({ dataSource, events, trail, stop } = await startTrail());
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await stop();
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

  it('tells of rows beyond 20,000 once, and counts them; rows that count are written later', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn');
    const log = jest.spyOn(Logger.prototype, 'log');
    const said = (spy: typeof log) =>
      spy.mock.calls.map(([line]) => String(line)).filter((line) => line.includes('queue'));
    let isOut = true;
    whenInserting(async (execute) => {
      if (!isOut) return execute();
      throw OUTAGE;
    });
    const origin = 'http://a';
    // The first one is being written when the others come.
    for (let n = 0; n < 20_001; n += 1) emit(`user ${n}`);
    expect([trail.lostRows, said(warn)]).toEqual([0, []]);
    for (let n = 0; n < 7; n += 1) emit('lost');
    events.emit({ type: 'client-registered', userId: null, origin });
    expect(trail.lostRows).toBe(7);
    expect(said(warn)).toEqual([
      'the audit queue is full: further rows are in this log alone, until the database takes some',
    ]);
    isOut = false;
    await eventually(async () => {
      expect(await dataSource.manager.count(AuditEventEntity)).toBe(20_001);
    });
    await eventually(() =>
      expect(said(log)).toEqual(['the audit queue has room again; 7 rows were lost so far']),
    );
    await trail.onModuleDestroy();
    expect(await dataSource.manager.countBy(AuditEventEntity, { userId: IsNull() })).toBe(1);
    expect(trail.lostRows).toBe(7);
  });

  it('says how many rows it loses where it ends without a database', async () => {
    whenInserting(() => Promise.reject(OUTAGE));
    for (let n = 0; n < 150; n += 1) emit('ann');
    await trail.onModuleDestroy();
    expect(complaints).toEqual([
      '150 audit rows are lost: the service ends before the database takes them',
    ]);
    expect(trail.lostRows).toBe(150);
  });

  it('counts a row that the database refuses as lost', async () => {
    const run = jest.spyOn(PreparedStatement.prototype, 'run');
    run.mockImplementation(async function (this: PreparedStatement, ...rows: Parameters<Insert>) {
      if (JSON.stringify(rows[1]).includes('refused')) throw new Error('no such row');
      return insert.apply(this, rows);
    });
    emit('refused');
    emit('bob');
    await eventually(async () => expect(await userIds()).toContain('bob'));
    expect(trail.lostRows).toBe(1);
  });
});

describe('audit trail of what strangers do', () => {
  let dataSource: DataSource;
  let events: SecurityEventsService;
  let trail: AuditTrailService;
  let stop: () => Promise<void>;
  let lines: unknown[];

  beforeEach(async () => {
    lines = [];
    fakeIntervals(NEW_YEAR);
    jest.spyOn(Logger.prototype, 'log').mockImplementation((fields) => void lines.push(fields));
    ({ dataSource, events, trail, stop } = await startTrail());
    setInterval(() => trail.writeTallies(), MINUTE_MS);
  });
  afterEach(async () => {
    jest.useRealTimers();
    jest.restoreAllMocks();
    await stop();
  });

  const origin = 'http://a';
  const register = (ip: string, clientId: string) =>
    from(ip, () => events.emit({ type: 'client-registered', userId: null, clientId, origin }));
  const flood = (count: number, ip = '192.0.2.1') => {
    for (let n = 0; n < count; n += 1) register(ip, `client ${n}`);
  };
  const rows = () => dataSource.manager.find(AuditEventEntity, { order: { id: 'ASC' } });
  const total = async () => (await rows()).reduce((sum, { count }) => sum + count, 0);

  it('of a network in a minute: five rows with all that is known, the rest in one', async () => {
    flood(1_000);
    await trail.onModuleDestroy();
    const found = await rows();
    expect(found.map(({ clientId, count }) => [clientId, count])).toEqual([
      ...[0, 1, 2, 3, 4].map((n) => [`client ${n}`, 1]),
      [null, 995],
    ]);
    expect(new Set(found.map(({ network }) => network)).size).toBe(1);
  });

  it('of networks without end: 600 rows in an hour, then one a minute', async () => {
    const minutes = 60;
    for (let minute = 0; minute < minutes; minute += 1) {
      for (let n = 0; n < 100; n += 1) flood(7, `198.51.${minute}.${n}`);
      jest.advanceTimersByTime(MINUTE_MS);
    }
    await trail.onModuleDestroy();
    const found = await rows();
    expect(found.length).toBeLessThanOrEqual(600 + minutes);
    expect(await total()).toBe(minutes * 700);
    expect(found.filter(({ network }) => network === null).length).toBeGreaterThanOrEqual(
      minutes - 1,
    );
  });

  it('remembers of those networks no more than it writes', () => {
    for (let n = 0; n < 20_000; n += 1) register(`10.0.${n >> 8}.${n & 255}`, 'client');
    const { tallies, strangers } = trail as unknown as {
      tallies: { size: number };
      strangers: { windows: { windows: { size: number } } };
    };
    expect(tallies.size).toBe(1);
    // One window per row, and the one for the hour.
    expect(strangers.windows.windows.size).toBe(600 + 1);
  });

  it('has no address, in no row and no line, but the same word for a network', async () => {
    for (const ip of ['2001:db8:7::1', '2001:db8:7:ffff::2', '203.0.113.9']) flood(7, ip);
    await trail.onModuleDestroy();
    const said = JSON.stringify([await rows(), lines]);
    expect(said).not.toMatch(/2001:|:db8|203\.0\./);
    const networks = (await rows()).map(({ network }) => network);
    expect(new Set(networks).size).toBe(2);
    for (const network of networks) expect(network).toMatch(/^[\w-]{22}$/);
  });

  it('never counts what people do to their own accounts', async () => {
    flood(1_000);
    const signIns = Array.from({ length: 500 }, (_, n) => `user ${n}`);
    from('192.0.2.1', () => {
      for (const userId of signIns) events.emit({ type: 'sign-in', userId, origin });
    });
    await trail.onModuleDestroy();
    const found = (await rows()).filter(({ type }) => type === 'sign-in');
    expect(found.map(({ userId }) => userId)).toEqual(signIns);
    expect(found.every(({ count, network }) => count === 1 && network === null)).toBe(true);
  });

  it('writes the first of many at once, and their number within the minute', async () => {
    flood(6);
    await eventually(async () => expect(await total()).toBe(6));
    flood(94);
    expect(await total()).toBe(6);
    jest.advanceTimersByTime(MINUTE_MS);
    await eventually(async () => expect(await total()).toBe(100));
  });

  it('begins a new row after a minute, and forgets the old one', async () => {
    flood(10);
    jest.advanceTimersByTime(MINUTE_MS);
    await eventually(async () => expect(await total()).toBe(10));
    await eventually(() => expect(trail).toHaveProperty('queue.writing', undefined));
    jest.advanceTimersByTime(MINUTE_MS);
    flood(10);
    await trail.onModuleDestroy();
    const counts = (await rows()).map(({ count, at }) => [count, at]);
    expect(counts.filter(([count]) => count === 5).map(([, at]) => at)).toEqual([
      NEW_YEAR,
      NEW_YEAR + 2 * MINUTE_MS,
    ]);
    expect(lines).toContainEqual(expect.objectContaining({ count: 5 }));
    expect(trail).toHaveProperty('tallies.size', 1);
  });

  describe('and of what can be repeated', () => {
    const reverse = (userId: string, detail: string) =>
      events.emit({ type: 'signature-counter-reversed', userId, origin, detail });

    it('one row an hour has all that are alike, from its first event on', async () => {
      for (let n = 0; n < 100; n += 1) reverse('ann', 'same');
      reverse('bob', 'same');
      jest.advanceTimersByTime(60 * MINUTE_MS);
      reverse('ann', 'same');
      await trail.onModuleDestroy();
      const found = (await rows()).map(({ userId, count, at }) => [userId, count, at]);
      expect(found).toEqual([
        ['ann', 100, NEW_YEAR],
        ['bob', 1, NEW_YEAR],
        ['ann', 1, NEW_YEAR + 60 * MINUTE_MS],
      ]);
    });

    it.each([
      [20, 'its activity shows', 'signature-counter-reversed'],
      [100, 'it does not show', 'consent-refused'],
    ] as const)(
      'an account has %i rows of what %s and one for the rest, and leaves others theirs',
      async (most, _what, type) => {
        const emitOf = (userId: string, detail: string) =>
          events.emit({ type, userId, origin, detail });
        for (let n = 0; n < 1_000; n += 1) emitOf('ann', `${n}`);
        emitOf('bob', 'same');
        await trail.onModuleDestroy();
        const found = await rows();
        expect(found).toHaveLength(most + 2);
        const rest = { userId: 'ann', detail: null, count: 1_000 - most };
        expect(found[most]).toMatchObject(rest);
        expect(found[most + 1]).toMatchObject({ userId: 'bob', detail: 'same' });
      },
    );

    it('a machine client has as many, without any account', async () => {
      const tellOf = (clientId: string, detail: string) =>
        events.emit({ type: 'tool-called', userId: null, clientId, origin, detail });
      for (let n = 0; n < 1_000; n += 1) tellOf('robot', `${n}`);
      tellOf('other', 'same');
      await trail.onModuleDestroy();
      const found = await rows();
      expect(found).toHaveLength(102);
      const of = { userId: null, clientId: 'robot' };
      expect(found[99]).toMatchObject({ ...of, detail: '99', count: 1 });
      expect(found[100]).toMatchObject({ ...of, detail: null, count: 900 });
      expect(found[101]).toMatchObject({ userId: null, clientId: 'other', detail: 'same' });
    });

    it('calls of a tool are one row with all that they cost', async () => {
      const call = (credits: number, durationMs: number) =>
        events.emit({
          type: 'tool-called',
          userId: 'ann',
          origin,
          detail: 'greet: done',
          spent: { credits, durationMs },
        });
      call(1, 10);
      await eventually(async () => expect(await total()).toBe(1));
      for (let n = 0; n < 9; n += 1) call(2, 20);
      await trail.onModuleDestroy();
      expect(await rows()).toMatchObject([{ count: 10, credits: 19, durationMs: 190 }]);
    });

    it('calls that did not begin have 20 rows of a connection, and take none from what it did', async () => {
      const refuse = (name: string, more: object) =>
        events.emit({
          type: 'call-refused',
          userId: 'ann',
          clientId: 'c',
          origin,
          facts: { name },
          ...more,
        });
      for (let n = 0; n < 200; n += 1) refuse(`${n}`, { grantId: 'g' });
      for (let n = 0; n < 200; n += 1) refuse(`${n}`, { userId: null });
      reverse('ann', 'same');
      events.emit({
        type: 'tool-called',
        userId: 'ann',
        grantId: 'g',
        origin,
        facts: { tool: 'x' },
      });
      await trail.onModuleDestroy();
      const found = await rows();
      expect(found).toHaveLength(21 + 21 + 2);
      const rest = { type: 'call-refused', clientId: 'c', facts: null, count: 180 };
      expect(found[20]).toMatchObject({ ...rest, userId: 'ann', grantId: 'g' });
      expect(found[41]).toMatchObject({ ...rest, userId: null, grantId: null });
      expect(found[42]).toMatchObject({ userId: 'ann', detail: 'same' });
      expect(found[43]?.facts).toBe('{"tool":"x"}');
    });

    it('calls that did not begin have 1,000 rows of a replica', async () => {
      for (let n = 0; n < 2_000; n += 1) {
        events.emit({ type: 'call-refused', userId: 'u', grantId: `g${n}`, origin, detail: 'x' });
      }
      reverse('ann', 'same');
      await trail.onModuleDestroy();
      const found = await rows();
      expect(found).toHaveLength(1_002);
      expect(found[1_000]).toMatchObject({ userId: null, grantId: null, count: 1_000 });
      expect(found[1_001]).toMatchObject({ userId: 'ann', detail: 'same' });
    });

    describe('calls of a connection', () => {
      const call = (grantId: string, more: Partial<EventFacts> = {}, userId = 'ann') => {
        const facts = { tool: 'page_*', outcome: 'done', kind: 'tool' as const, ...more };
        const detail = `${facts.tool}: ${facts.outcome}`;
        events.emit({ type: 'tool-called', userId, clientId: 'c', grantId, origin, detail, facts });
      };
      const rest = { type: 'tool-called', facts: null, detail: null };

      it('have a row for each name, outcome and page, whatever titles these have', async () => {
        for (let n = 0; n < 3; n += 1) {
          call('g', { name: 'add', page: 'a', title: `${n}`, pageTitle: `${n}` });
          for (const other of ['b', 'c']) call('g', { name: 'add', page: other });
          call('g', { name: 'remove', page: 'a' });
          call('g', { name: 'add', page: 'a', outcome: 'refused' });
          call('g', { name: 'add', page: 'a', approved: 'once' });
          call('other', { name: 'add', page: 'a' });
        }
        await trail.onModuleDestroy();
        const found = await rows();
        expect(found.map(({ count }) => count)).toEqual([3, 3, 3, 3, 3, 3, 3]);
        expect(JSON.parse(found[0]?.facts ?? '')).toMatchObject({ title: '0', pageTitle: '0' });
      });

      it('have 100 rows for each and one for the rest that keeps it', async () => {
        for (const grantId of ['one', 'two']) {
          for (let n = 0; n < 150; n += 1) call(grantId, { name: `${n}` });
        }
        await trail.onModuleDestroy();
        const found = await rows();
        expect(found).toHaveLength(202);
        for (const [at, grantId] of [
          [100, 'one'],
          [201, 'two'],
        ] as const) {
          const of = { grantId, userId: 'ann', clientId: 'c' };
          expect(found[at]).toMatchObject({ ...rest, ...of, count: 50 });
        }
      });

      it('have 500 rows for all of an account, and each connection one for its rest', async () => {
        for (let n = 0; n < 60; n += 1) {
          for (let c = 0; c < 20; c += 1) call(`${c}`, { name: `${n}` });
        }
        call('of bob', {}, 'bob');
        await trail.onModuleDestroy();
        const found = await rows();
        expect(found).toHaveLength(500 + 20 + 1);
        const rests = found.filter(({ facts }) => facts === null);
        expect(new Set(rests.map(({ grantId }) => grantId)).size).toBe(20);
        expect(await total()).toBe(60 * 20 + 1);
      });

      it('keep it where a replica has written its 5,000 rows, on 5,000 more', async () => {
        for (let n = 0; n < 12_000; n += 1) call(`${n}`, {}, `user ${n}`);
        await eventually(() => expect(trail).toHaveProperty('queue.writing', undefined));
        call('6000', {}, 'user 6000');
        await trail.onModuleDestroy();
        const found = await rows();
        expect(found).toHaveLength(10_001);
        expect(found[5_000]).toMatchObject({ ...rest, grantId: '5000', userId: 'user 5000' });
        expect(found[6_000]).toMatchObject({ ...rest, grantId: '6000', count: 2 });
        expect(found.at(-1)).toMatchObject({ ...rest, userId: null, grantId: null, count: 2_000 });
      });

      it('begin a row with the day, so that each is of one day', async () => {
        jest.setSystemTime(NEW_YEAR - 1);
        call('g');
        jest.setSystemTime(NEW_YEAR);
        call('g');
        await trail.onModuleDestroy();
        expect((await rows()).map(({ at }) => at)).toEqual([NEW_YEAR - 1, NEW_YEAR]);
      });

      it('are in SQL as soon as the trail writes calls, which is before other counts', async () => {
        for (let n = 0; n < 5; n += 1) call('g');
        reverse('ann', 'same');
        await eventually(async () => expect(await total()).toBe(2));
        reverse('ann', 'same');
        trail.writeCalls();
        await eventually(async () => {
          const counts = (await rows()).map(({ type, count }) => [type, count]);
          expect(counts).toEqual([
            ['tool-called', 5],
            ['signature-counter-reversed', 2],
          ]);
        });
      });
    });

    it('the row of several tells the browser of the last, at once, as it tells its time', async () => {
      const rename = (browser: string) =>
        from(
          '192.0.2.1',
          () => events.emit({ type: 'display-name-changed', userId: 'ann', origin }),
          {
            'user-agent': browser,
          },
        );
      const told = async () => (await rows()).map(({ browser, lastAt }) => [browser, lastAt]);
      rename('Firefox/153.0 (Linux)');
      await eventually(async () => expect(await told()).toEqual([['Firefox on Linux', null]]));
      jest.setSystemTime(NEW_YEAR + 1);
      rename('Chrome/150.0 (Windows)');
      await eventually(async () =>
        expect(await told()).toEqual([['Chrome on Windows', NEW_YEAR + 1]]),
      );
    });

    it('a replica has 5,000 rows, as many that tell the account, and one for the rest', async () => {
      const isWritten = () =>
        eventually(() => expect(trail).toHaveProperty('queue.writing', undefined));
      for (let n = 0; n < 6_000; n += 1) reverse(`user ${n}`, 'same');
      await isWritten();
      for (let n = 6_000; n < 12_000; n += 1) reverse(`user ${n}`, 'same');
      await isWritten();
      reverse('user 6000', 'other');
      // What is in the activity is written at once.
      await eventually(async () => expect((await rows())[6_000]?.count).toBe(2));
      await trail.onModuleDestroy();
      const found = await rows();
      expect(found).toHaveLength(10_001);
      expect(found[6_000]).toMatchObject({ userId: 'user 6000', detail: null });
      expect(found.at(-1)).toMatchObject({ userId: null, count: 2_000 });
    });

    it('what apps do takes no row from what people do', async () => {
      for (let n = 0; n < 11_000; n += 1) {
        const of = { userId: `user ${n}`, clientId: 'c', grantId: `${n}` };
        events.emit({ type: 'tool-called', ...of, origin, detail: 'x' });
      }
      await eventually(() => expect(trail).toHaveProperty('queue.writing', undefined));
      reverse('ann', 'same');
      await trail.onModuleDestroy();
      expect((await rows()).at(-1)).toMatchObject({ userId: 'ann', detail: 'same' });
    });
  });
});
