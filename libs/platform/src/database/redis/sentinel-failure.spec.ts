import { sentinelFailure } from './sentinel-failure.js';

describe('what keeps Sentinels from telling an address', () => {
  it.each([
    [
      'All sentinels are unreachable. Retrying from scratch after 10ms. Last error: connect ECONNREFUSED',
      'no Sentinel tells its address: connect ECONNREFUSED',
    ],
    [
      'All sentinels are unreachable and retry is disabled.',
      'no Sentinel tells its address: none knows that name',
    ],
    ['Connection is closed.', undefined],
  ])('%s is: %s', (message, words) => {
    expect(sentinelFailure(message)).toBe(words);
  });
});
