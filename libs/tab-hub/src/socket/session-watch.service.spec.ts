import { jest } from '@jest/globals';
import { SecurityEventsService } from '#libs/accounts';
import { type CloseFrame, SESSION_ENDED, STORE_AWAY } from '../protocol/close-codes.js';
import { SessionWatchService } from './session-watch.service.js';
import { TestSessions, TestTabBus } from './tab-hub.testbed.js';

const MINUTE_MS = 60_000;

describe('SessionWatchService', () => {
  let sessions: TestSessions;
  let events: SecurityEventsService;
  let bus: TestTabBus;
  let watch: SessionWatchService;
  let ends: CloseFrame[];

  const tab = { session: 'hash', end: (close: CloseFrame) => void ends.push(close) };
  const pass = (ms: number) => jest.advanceTimersByTimeAsync(ms);

  beforeEach(() => {
    jest.useFakeTimers();
    ends = [];
    [sessions, events, bus] = [new TestSessions(), new SecurityEventsService(), new TestTabBus()];
    sessions.expiresAt = Date.now() + MINUTE_MS;
    watch = new SessionWatchService(sessions.asService(), events, bus);
    watch.onModuleInit();
  });
  afterEach(() => {
    watch.onModuleDestroy();
    watch.release(tab);
    expect([watch.size, jest.getTimerCount()]).toEqual([0, 0]);
    jest.useRealTimers();
  });

  it('says whether the session is active', async () => {
    expect(await watch.watch(tab, sessions.expiresAt)).toBe(true);
    sessions.expiresAt = 0;
    expect(await watch.watch(tab, Date.now() + MINUTE_MS)).toBe(false);
  });

  it('ends what an expired session keeps open, when it expires', async () => {
    await watch.watch(tab, sessions.expiresAt);
    await pass(MINUTE_MS - 1);
    expect(ends).toEqual([]);
    await pass(1);
    expect(ends).toEqual([SESSION_ENDED]);
  });

  it('keeps what a prolonged session keeps open', async () => {
    await watch.watch(tab, sessions.expiresAt);
    sessions.expiresAt += MINUTE_MS;
    await pass(2 * MINUTE_MS - 1);
    expect(ends).toEqual([]);
    await pass(1);
    expect(ends).toEqual([SESSION_ENDED]);
  });

  it('notices within five minutes that a long session has ended', async () => {
    await watch.watch(tab, Date.now() + 600 * MINUTE_MS);
    await pass(5 * MINUTE_MS);
    expect(ends).toEqual([SESSION_ENDED]);
  });

  it('does not believe in a session longer than it lasts, while the store is down', async () => {
    await watch.watch(tab, sessions.expiresAt);
    sessions.isDown = true;
    await pass(MINUTE_MS);
    expect(ends).toEqual([STORE_AWAY]);
  });

  it('ends sessions that ended here, and publishes that', async () => {
    await watch.watch(tab, sessions.expiresAt);
    const user = { id: 'ann', displayName: 'Ann' };
    const endedSessions = ['hash', 'other'].map((tokenHash) => ({ tokenHash, user }));
    events.emit({ type: 'sign-out', userId: 'ann', origin: 'https://a.example', endedSessions });
    expect(ends).toEqual([SESSION_ENDED]);
    expect(bus.published).toEqual([
      { kind: 'session-ended', session: 'hash' },
      { kind: 'session-ended', session: 'other' },
    ]);
  });
});
