import type { DataSource } from 'typeorm';
import { AccountTurns, SweeperService, expiredRows } from '#libs/platform';
import { describeOnDatabases } from '#libs/platform/testing';
import { accountsMigrations } from '../migrations/accounts-migrations.js';
import { hashReadableCode } from '../secret.js';
import { FreshnessService } from '../session/freshness.service.js';
import { SessionEntity } from '../session/session.entity.js';
import type { Session } from '../session/session.js';
import { BrowserSessionsService } from '../session/session.service.js';
import { SessionStore } from '../session/session.store.js';
import { UserEntity } from '../user/user.entity.js';
import { UserStore } from '../user/user.store.js';
import { RecoveryCodeEntity } from './recovery-code.entity.js';
import {
  generateLinkCode,
  generateRecoveryCode,
  RecoveryCodesService,
} from './recovery-code.service.js';
import { RecoveryCodeStore } from './recovery-code.store.js';

describe('recovery code', () => {
  it('has 24 characters of 5 random bits each, in groups to read out', () => {
    const codes = Array.from({ length: 2000 }, generateRecoveryCode);
    for (const code of codes)
      expect(code).toMatch(/^([0-9A-HJKMNP-TV-Z]{4}-){5}[0-9A-HJKMNP-TV-Z]{4}$/);
    expect(new Set(codes).size).toBe(codes.length);
    expect(new Set(codes.join('').replaceAll('-', '')).size).toBe(32);
  });

  it('of a link has 32 characters and nothing that a fragment would escape', () => {
    expect(generateLinkCode()).toMatch(/^[0-9A-HJKMNP-TV-Z]{32}$/);
  });
});

const ORIGIN = 'https://gate.example';
const DAY_MS = 24 * 60 * 60 * 1000;
const CALLS = 32;
const schema = {
  entities: [UserEntity, SessionEntity, RecoveryCodeEntity],
  migrations: accountsMigrations,
};
const options = {
  sessionLifetimes: { idleMs: 7 * DAY_MS, maxMs: 30 * DAY_MS },
  rateLimit: { max: 1, periodMs: 1 },
};

describeOnDatabases('recovery codes', schema, (replicas) => {
  const usersAt = (dataSource: DataSource) => new UserStore(dataSource);
  let accounts = 0;
  let userId: string;
  let session: Session;

  const storeAt = (dataSource: DataSource) => new SessionStore(dataSource, usersAt(dataSource));
  const sessionsAt = (dataSource: DataSource) =>
    new BrowserSessionsService(
      options,
      storeAt(dataSource),
      usersAt(dataSource),
      new AccountTurns(),
    );
  const at = (n: number) => {
    const dataSource = replicas()[n % 2 === 0 ? 0 : 1];
    const [users, sessions] = [usersAt(dataSource), storeAt(dataSource)];
    const codes = new RecoveryCodeStore(dataSource);
    return new RecoveryCodesService(dataSource, codes, users, sessions, new FreshnessService());
  };
  const codesAt = (n: number) => new RecoveryCodeStore(replicas()[n % 2 === 0 ? 0 : 1]);
  const manager = () => replicas()[0].manager;
  const take = (n: number, code: string) =>
    replicas()[n % 2 === 0 ? 0 : 1].transaction((inside) =>
      codesAt(n).take(inside, hashReadableCode(code)),
    );
  const ownerOf = async (code: string, origin = ORIGIN) =>
    (await codesAt(1).findOwner(hashReadableCode(code), origin))?.id;
  const createLinkCode = async (n: number) => (await at(n).createLinkCode(userId, ORIGIN)) ?? '';
  const parallel = <T>(work: (n: number) => Promise<T>) =>
    Promise.all(Array.from({ length: CALLS }, (_, n) => work(n)));

  beforeEach(async () => {
    userId = `user-${(accounts += 1)}`;
    await usersAt(replicas()[0]).insert(manager(), { id: userId, displayName: 'Ann' });
    const sessions = sessionsAt(replicas()[0]);
    const began = { by: 'passkey', credentialId: 'credential' } as const;
    const first = { userId, origin: ORIGIN, browser: null, began };
    const token = await sessions.start(manager(), first);
    const found = await sessions.findByToken(token, ORIGIN);
    if (!found) throw new Error('the session was not stored');
    session = found;
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });

  it('take the place of the older ones, used or not, and of a link, and of no one else', async () => {
    const [used = '', unused = ''] = await at(0).replace(session, ORIGIN);
    const link = await createLinkCode(0);
    await take(0, used);
    const others = { ...session, user: { id: 'another', displayName: 'Bob' } };
    await expect(at(0).replace(others, ORIGIN)).rejects.toMatchObject({ status: 401 });
    expect(await ownerOf(unused)).toBe(userId);
    const newer = await at(1).replace(session, ORIGIN);
    expect(await ownerOf(unused)).toBeUndefined();
    expect(await ownerOf(newer[0] ?? '')).toBe(userId);
    expect(await ownerOf(link)).toBeUndefined();
    expect(await at(0).stateOf(userId, ORIGIN)).toMatchObject({ left: 10 });
  });

  it('work on the origin that they were made for, those without one on all', async () => {
    const other = 'https://other.example';
    const link = await createLinkCode(0);
    const guessed = (await at(0).createLinkCode(userId, null)) ?? '';
    expect(await Promise.all([ownerOf(link), ownerOf(guessed)])).toEqual([undefined, userId]);
    expect(await ownerOf(guessed, other)).toBe(userId);
    const bound = (await at(0).createLinkCode(userId, other)) ?? '';
    expect(await Promise.all([ownerOf(bound), ownerOf(bound, other)])).toEqual([undefined, userId]);
    const [code = ''] = await at(0).replace(session, ORIGIN);
    expect(await Promise.all([ownerOf(code), ownerOf(code, other)])).toEqual([userId, undefined]);
    expect(await at(0).stateOf(userId, other)).toEqual({ left: 0, createdAt: null });
    await manager().update(RecoveryCodeEntity, { userId }, { origin: null });
    expect(await ownerOf(code, other)).toBe(userId);
    expect(await at(0).stateOf(userId, other)).toMatchObject({ left: 10 });
    await at(0).replace(session, other);
    expect(await ownerOf(code)).toBeUndefined();
  });

  it('are counted with when they were made', async () => {
    expect(await at(0).stateOf(userId, ORIGIN)).toEqual({ left: 0, createdAt: null });
    await createLinkCode(0);
    expect(await at(0).stateOf(userId, ORIGIN)).toEqual({ left: 0, createdAt: null });
    const createdAt = Math.floor(Date.now() / 1000);
    jest.spyOn(Date, 'now').mockReturnValue(createdAt * 1000 + 999);
    const codes = await at(0).replace(session, ORIGIN);
    await take(0, codes[0] ?? '');
    expect(await at(1).stateOf(userId, ORIGIN)).toEqual({ left: 9, createdAt });
    for (const code of codes) await take(1, code);
    expect(await at(1).stateOf(userId, ORIGIN)).toEqual({ left: 0, createdAt });
  });

  it('of a link are good for 24 hours and then swept, those of a person until they are used', async () => {
    const [code = ''] = await at(0).replace(session, ORIGIN);
    const now = Date.now();
    const link = await createLinkCode(0);
    expect(link).toMatch(/^[0-9A-Z]{32}$/);
    const expired = expiredRows(RecoveryCodeEntity, 'codeHash');
    const sweeper = new SweeperService(replicas()[0]).add(expired);
    const clock = jest.spyOn(Date, 'now').mockReturnValue(now + DAY_MS - 1);
    await sweeper.sweep();
    expect(await ownerOf(link)).toBe(userId);
    clock.mockReturnValue(now + DAY_MS + 60_000);
    expect(await ownerOf(link)).toBeUndefined();
    expect(await take(0, link)).toBe(false);
    expect(await ownerOf(code)).toBe(userId);
    await sweeper.sweep();
    expect(await manager().countBy(RecoveryCodeEntity, { userId })).toBe(10);
    expect(await take(0, code)).toBe(true);
  });

  it('of a link end with the next link, and an unknown account gets none', async () => {
    const older = await createLinkCode(0);
    const links = await parallel(createLinkCode);
    expect(await ownerOf(older)).toBeUndefined();
    const owners = await Promise.all(links.map((link) => ownerOf(link)));
    expect(owners.filter((owner) => owner === userId)).toHaveLength(1);
    expect(await at(0).createLinkCode('no-such-user', ORIGIN)).toBeUndefined();
  });
});
