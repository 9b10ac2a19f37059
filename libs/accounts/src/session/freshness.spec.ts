import { expectFresh } from './freshness.js';

const MINUTE_MS = 60_000;
const NOW = Date.UTC(2025, 0, 1);

describe('freshness', () => {
  beforeEach(() => {
    jest.spyOn(Date, 'now').mockReturnValue(NOW);
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });

  const began = (agoMs: number) => ({ createdAt: NOW - agoMs });

  it('lasts for 10 minutes from when the session began', () => {
    expect(() => expectFresh(began(10 * MINUTE_MS))).not.toThrow();
    expect(() => expectFresh(began(10 * MINUTE_MS + 1))).toThrow(
      expect.objectContaining({ status: 403, reason: 'sign_in_again' }),
    );
  });

  it('lasts for as long as is asked for', () => {
    expect(() => expectFresh(began(MINUTE_MS), MINUTE_MS)).not.toThrow();
    expect(() => expectFresh(began(MINUTE_MS + 1), MINUTE_MS)).toThrow();
  });
});
