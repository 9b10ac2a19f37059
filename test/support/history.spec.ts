import { doubleSpent, failures, type Operation, usedAfterRevoked } from './history.js';

const operation = (about: Partial<Operation>): Operation => ({
  id: 0,
  name: 'any',
  effect: 'none',
  startedAt: 0,
  endedAt: 1,
  outcome: 200,
  expected: true,
  ...about,
});

describe('the history of a load', () => {
  it('knows what failed', () => {
    const lost = operation({ outcome: 'ECONNRESET', expected: false });
    expect(failures([operation({}), lost])).toEqual([lost]);
  });

  it('knows what was spent twice', () => {
    const spend = (item: string, outcome: number) => operation({ effect: 'spends', item, outcome });
    expect(doubleSpent([spend('a', 302), spend('a', 400), spend('b', 200)])).toEqual([]);
    expect(doubleSpent([spend('a', 302), spend('b', 200), spend('a', 200)])).toEqual(['a']);
  });

  it('knows what was used after it was revoked', () => {
    const revoked = operation({ effect: 'revokes', item: 'a', outcome: 204, endedAt: 10 });
    const use = (startedAt: number, outcome = 200, item = 'a') =>
      operation({ effect: 'uses', item, startedAt, outcome });
    expect(usedAfterRevoked([use(9), revoked, use(11, 401), use(11, 200, 'b')])).toEqual([]);
    const late = use(11);
    expect(usedAfterRevoked([revoked, late])).toEqual([late]);
    const refused = operation({ effect: 'revokes', item: 'a', outcome: 503, endedAt: 1 });
    expect(usedAfterRevoked([refused, late])).toEqual([]);
  });
});
