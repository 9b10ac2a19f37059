import { eventually } from '../../../../test/support/eventually.js';
import { RUNS_AT_ONCE, type RunSlots } from './user-run-limit.js';

const LONG_MS = 60_000;

/** What every RunSlots must do; each adapter's spec runs it. `open` gives views of the same slots. */
export function itIsRunSlots(open: () => readonly [RunSlots, RunSlots]) {
  let slots: RunSlots;
  let other: RunSlots;
  let user: string;
  let users = 0;

  beforeAll(() => {
    [slots, other] = open();
  });
  beforeEach(() => {
    user = `user-${++users}`;
  });

  it('gives an account so many and no more, whoever asks', async () => {
    const asked = Array.from({ length: 20 }, (_, index) =>
      (index % 2 === 0 ? slots : other).take(user, `run-${index}`, LONG_MS),
    );
    const taken = await Promise.all(asked);
    expect(taken.filter(Boolean)).toHaveLength(RUNS_AT_ONCE);
  });

  it('keeps accounts apart', async () => {
    await slots.take(user, 'a', LONG_MS);
    await slots.take(user, 'b', LONG_MS);
    expect(await slots.take(`${user}:2`, 'a', LONG_MS)).toBe(true);
  });

  it('gives again what was released, once', async () => {
    await slots.take(user, 'a', LONG_MS);
    await slots.take(user, 'b', LONG_MS);
    await other.release(user, 'a');
    await slots.release(user, 'a');
    await slots.release(user, 'never taken');
    expect(await slots.take(user, 'c', LONG_MS)).toBe(true);
    expect(await slots.take(user, 'd', LONG_MS)).toBe(false);
  });

  it('takes back what was held for too long, and that alone', async () => {
    await slots.take(user, 'crashed', 50);
    await slots.take(user, 'alive', LONG_MS);
    await eventually(async () => expect(await other.take(user, 'next', LONG_MS)).toBe(true));
    expect(await slots.take(user, 'too many', LONG_MS)).toBe(false);
    await slots.release(user, 'crashed');
    expect(await slots.take(user, 'too many', LONG_MS)).toBe(false);
  });
}
