import { SecurityEventsService } from '#libs/accounts';
import { type CloseFrame, SESSION_ENDED, STORE_AWAY } from '../protocol/frames-to-tab.js';
import { SessionWatchService } from './session-watch.service.js';
import { TestSessions } from './tab-hub.testbed.js';

const MINUTE_MS = 60_000;

const user = { id: 'ann', displayName: 'Ann' };
const happened = { userId: 'ann', origin: 'https://a.example' };

describe('SessionWatchService', () => {
  let sessions: TestSessions;
  let events: SecurityEventsService;
  let watch: SessionWatchService;
  let ends: CloseFrame[];

  const tab = { session: 'hash', end: (close: CloseFrame) => void ends.push(close) };
  const pass = (ms: number) => jest.advanceTimersByTimeAsync(ms);

  beforeEach(() => {
    jest.useFakeTimers();
    ends = [];
    [sessions, events] = [new TestSessions(), new SecurityEventsService()];
    sessions.expiresAt = Date.now() + MINUTE_MS;
    watch = new SessionWatchService(sessions.asService(), events);
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

  it('notices in its next round that a session ended on another replica', async () => {
    await watch.watch(tab, Date.now() + 600 * MINUTE_MS);
    await watch.checkAll();
    expect(ends).toEqual([]);
    sessions.expiresAt = 0;
    await watch.checkAll();
    expect(ends).toEqual([SESSION_ENDED]);
  });

  it('keeps what is open while the store does not answer', async () => {
    await watch.watch(tab, Date.now() + 600 * MINUTE_MS);
    sessions.isDown = true;
    await watch.checkAll();
    expect(ends).toEqual([]);
  });

  it('does not believe in a session longer than it lasts, while the store is down', async () => {
    await watch.watch(tab, sessions.expiresAt);
    sessions.isDown = true;
    await pass(MINUTE_MS);
    expect(ends).toEqual([STORE_AWAY]);
  });

  it('ends at once what ended here, one session or several', async () => {
    const [other, ended] = [
      { ...tab, session: 'other' },
      (tokenHash: string) => ({ tokenHash, user }),
    ];
    await watch.watch(tab, sessions.expiresAt);
    await watch.watch(other, sessions.expiresAt);
    events.emit({ ...happened, type: 'sign-out', endedSessions: [ended('hash')] });
    expect(ends).toEqual([SESSION_ENDED]);
    events.emit({
      ...happened,
      type: 'user-signed-out',
      endedSessions: [ended('x'), ended('other')],
    });
    expect(ends).toEqual([SESSION_ENDED, SESSION_ENDED]);
    watch.release(other);
  });
});
