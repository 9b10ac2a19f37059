import type { EntityManager } from 'typeorm';
import { FreshnessService } from './freshness.service.js';
import type { Session } from './session.js';

const MINUTE_MS = 60_000;
const NOW = Date.UTC(2025, 0, 1);
const SIGN_IN_AGAIN = { status: 403, reason: 'sign_in_again' };

describe('freshness', () => {
  let freshness: FreshnessService;

  beforeEach(() => {
    jest.spyOn(Date, 'now').mockReturnValue(NOW);
    freshness = new FreshnessService();
    freshness.askForPasskeys(async (userId) => userId === 'has-passkeys');
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });

  const began = (agoMs: number, beganBy: Session['beganBy'] = 'passkey', id = 'has-passkeys') => ({
    user: { id, displayName: 'Ann' },
    createdAt: NOW - agoMs,
    beganBy,
  });
  const external = (agoMs: number, id = 'has-none') => began(agoMs, 'external', id);

  it.each(['passkey', 'registration', 'recovery'] as const)(
    'lasts for 10 minutes from when a session began by %s',
    async (beganBy) => {
      await freshness.expect(began(10 * MINUTE_MS, beganBy));
      const older = freshness.expect(began(10 * MINUTE_MS + 1, beganBy));
      await expect(older).rejects.toMatchObject(SIGN_IN_AGAIN);
    },
  );

  it('lasts for as long as is asked for', async () => {
    await freshness.expect(began(MINUTE_MS), MINUTE_MS);
    await expect(freshness.expect(began(MINUTE_MS + 1), MINUTE_MS)).rejects.toMatchObject(
      SIGN_IN_AGAIN,
    );
    await freshness.expect(began(60 * MINUTE_MS), 60 * MINUTE_MS);
  });

  it('lasts for 10 minutes at most after an external sign-in to an account without a passkey', async () => {
    await freshness.expect(external(10 * MINUTE_MS));
    for (const [agoMs, maxAgeMs] of [
      [10 * MINUTE_MS + 1, undefined],
      [10 * MINUTE_MS + 1, 60 * MINUTE_MS],
      [MINUTE_MS + 1, MINUTE_MS],
    ] as const) {
      const older = freshness.expect(external(agoMs), maxAgeMs);
      await expect(older).rejects.toMatchObject(SIGN_IN_AGAIN);
    }
  });

  it('is not there after an external sign-in to an account with a passkey', async () => {
    const refused = freshness.expect(external(0, 'has-passkeys'));
    await expect(refused).rejects.toMatchObject({
      ...SIGN_IN_AGAIN,
      message: 'this requires a recent sign-in; sign in with your passkey, then try again',
    });
  });

  it('of an external sign-in is decided by the passkeys that its transaction sees', async () => {
    const manager = {} as EntityManager;
    const asked = jest.fn(async () => true);
    freshness.askForPasskeys(asked);
    const refused = freshness.expect(external(0), undefined, manager);
    await expect(refused).rejects.toMatchObject(SIGN_IN_AGAIN);
    expect(asked).toHaveBeenCalledWith('has-none', manager);
  });
});
