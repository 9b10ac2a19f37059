import { BudgetExhaustedError } from '#libs/budget';
import { CodeCancelledError } from '#libs/code-runner';
import { codeRefusal } from './run-code.tool.js';

const MIDNIGHT = '2026-08-01T00:00:00.000Z';

describe('the refusal of a run that the budget does not cover', () => {
  it.each([
    [3, /3 are left; try again after 2026-08-01/],
    [100, /100 are left; call with timeoutMs of at most 750, or try again after 2026-08-01/],
    [525, /^Nothing was run: other calls held .* try again now\.$/],
    [900, /^Nothing was run: other calls held .* try again now\.$/],
    [undefined, /cannot be charged, so nothing was run; try again later\.$/],
  ])('with %p of 525 credits left says what to do', (left, sentence) => {
    expect(codeRefusal(new BudgetExhaustedError(525, MIDNIGHT, left))).toMatch(sentence);
  });
});

describe('the refusal of a run that was cancelled', () => {
  it('says that no more is charged than ran', () => {
    expect(codeRefusal(new CodeCancelledError(0))).toMatch(/^It was cancelled, and only what ran/);
  });
});

describe('any other error', () => {
  it('has nothing for the model', () => {
    expect(codeRefusal(new Error('connect ECONNREFUSED 10.0.0.5:6379'))).toBeUndefined();
  });
});
