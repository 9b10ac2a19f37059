import type { DataSource } from 'typeorm';
import { createDataSource } from '#libs/platform';
import { sqliteForTests } from '#libs/platform/testing';
import { accountsMigrations } from '../migrations/accounts-migrations.js';
import { UserEntity } from '../user/user.entity.js';
import { SessionEntity } from './session.entity.js';
import { BrowserSessionsService } from './session.service.js';
import { SessionStore } from './session.store.js';
import { UserStore } from '../user/user.store.js';

const ORIGIN = 'https://gate.example';
const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;
const START = Date.UTC(2025, 0, 1);

describe('BrowserSessionsService', () => {
  let sqlite: Awaited<ReturnType<typeof sqliteForTests>>;
  let dataSource: DataSource;
  let store: SessionStore;
  let sessions: BrowserSessionsService;
  let now: number;

  beforeEach(async () => {
    now = START;
    jest.spyOn(Date, 'now').mockImplementation(() => now);
    sqlite = await sqliteForTests();
    dataSource = createDataSource(
      { type: 'sqlite', path: sqlite.path },
      { entities: [UserEntity, SessionEntity], migrations: accountsMigrations },
    );
    await dataSource.initialize();
    await dataSource.runMigrations();
    await dataSource.manager.insert(UserEntity, { id: 'ann', displayName: 'Ann', createdAt: 0 });
    const sessionLifetimes = { idleMs: 7 * DAY, maxMs: 30 * DAY };
    const rateLimit = { max: 1, periodMs: 1 };
    const users = new UserStore(dataSource);
    store = new SessionStore(dataSource, users);
    sessions = new BrowserSessionsService({ sessionLifetimes, rateLimit }, store, users);
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await dataSource.destroy();
    await sqlite.dispose();
  });

  const began = { by: 'passkey', credentialId: 'C'.repeat(22) } as const;
  const ann = { userId: 'ann', origin: ORIGIN, browser: 'Firefox on Linux', began };
  const start = () => sessions.start(dataSource.manager, ann);
  const isFound = async (token: string) =>
    (await sessions.findByToken(token, ORIGIN)) !== undefined;

  it('ends a session that is unused for the idle lifetime', async () => {
    const [used, unused] = [await start(), await start()];
    now = START + 7 * DAY - 1;
    expect(await isFound(used)).toBe(true);
    now = START + 7 * DAY;
    expect(await isFound(used)).toBe(true);
    expect(await isFound(unused)).toBe(false);
  });

  it('ends a session after the absolute lifetime, however much it is used', async () => {
    const token = await start();
    for (now = START; now < START + 30 * DAY; now += DAY) expect(await isFound(token)).toBe(true);
    now = START + 30 * DAY - 1;
    expect(await isFound(token)).toBe(true);
    now = START + 30 * DAY;
    expect(await isFound(token)).toBe(false);
  });

  it('knows when a session ends by its name, until it has ended', async () => {
    const token = await start();
    const { tokenHash = '' } = (await sessions.findByToken(token, ORIGIN)) ?? {};
    expect(await store.expiryOf(tokenHash)).toBe(START + 7 * DAY);
    now = START + 7 * DAY;
    expect(await store.expiryOf(tokenHash)).toBeUndefined();
  });

  it('keeps when, how and in which browser a session began, under an id of its own', async () => {
    const [first, second] = [await sessions.findByToken(await start(), ORIGIN), await start()];
    expect(first).toMatchObject({
      id: expect.stringMatching(/^[\w-]{22}$/),
      createdAt: START,
      credentialId: began.credentialId,
    });
    expect((await sessions.findByToken(second, ORIGIN))?.id).not.toBe(first?.id);
    const row = await dataSource.manager.findOneByOrFail(SessionEntity, { id: first?.id ?? '' });
    expect(row).toMatchObject({ browser: 'Firefox on Linux', beganBy: 'passkey' });
  });

  it('begins a session of a recovery with no passkey', async () => {
    const recovered = { ...ann, browser: null, began: { by: 'recovery' } } as const;
    const token = await sessions.start(dataSource.manager, recovered);
    expect(await sessions.findByToken(token, ORIGIN)).toMatchObject({ credentialId: null });
  });

  it('finds a session on the origin it was made on only', async () => {
    const token = await start();
    expect(await sessions.findByToken(token, 'https://other.example')).toBeUndefined();
    expect(await sessions.findByToken(token, ORIGIN)).toMatchObject({ user: { id: 'ann' } });
  });

  it('ends the session that a new one replaces', async () => {
    const old = await start();
    const carried = await sessions.findByToken(old, ORIGIN);
    const token = await sessions.start(dataSource.manager, { ...ann, carried });
    expect([await isFound(old), await isFound(token)]).toEqual([false, true]);
  });
});
