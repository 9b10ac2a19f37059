import { eventually } from '#libs/platform/testing';
import { MAX_RUNS_PER_USER, type UserRunLimit } from './user-run-limit.js';

const LONG_MS = 60_000;

/** What every UserRunLimit must do; each adapter's spec runs it. `open` returns two views of the same count. */
export function describeUserRunLimit(open: () => readonly [UserRunLimit, UserRunLimit]) {
  let limit: UserRunLimit;
  let other: UserRunLimit;
  let user: string;
  let users = 0;

  beforeAll(() => {
    [limit, other] = open();
  });
  beforeEach(() => {
    user = `user-${++users}`;
  });

  it('bounds the runs of a user over all replicas', async () => {
    const asked = Array.from({ length: 20 }, (_, index) =>
      (index % 2 === 0 ? limit : other).acquire(user, `run-${index}`, LONG_MS),
    );
    const acquired = await Promise.all(asked);
    expect(acquired.filter(Boolean)).toHaveLength(MAX_RUNS_PER_USER);
  });

  it('keeps users apart', async () => {
    await limit.acquire(user, 'a', LONG_MS);
    await limit.acquire(user, 'b', LONG_MS);
    expect(await limit.acquire(`${user}:2`, 'a', LONG_MS)).toBe(true);
  });

  it('gives again what was released, once', async () => {
    await limit.acquire(user, 'a', LONG_MS);
    await limit.acquire(user, 'b', LONG_MS);
    await other.release(user, 'a');
    await limit.release(user, 'a');
    await limit.release(user, 'never acquired');
    expect(await limit.acquire(user, 'c', LONG_MS)).toBe(true);
    expect(await limit.acquire(user, 'd', LONG_MS)).toBe(false);
  });

  it('no longer counts a run whose lease is over, and that alone', async () => {
    await limit.acquire(user, 'crashed', 50);
    await limit.acquire(user, 'alive', LONG_MS);
    await eventually(async () => expect(await other.acquire(user, 'next', LONG_MS)).toBe(true));
    expect(await limit.acquire(user, 'too many', LONG_MS)).toBe(false);
    await limit.release(user, 'crashed');
    expect(await limit.acquire(user, 'too many', LONG_MS)).toBe(false);
  });
}
