import { BudgetExhaustedError } from '#libs/budget';
import { CodeCancelledError, TooManyRunsError } from '#libs/code-runner';
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

describe('the refusal of a run that the daily credits of the app do not cover', () => {
  it.each([
    [
      100,
      "Nothing was run: this may cost up to 525 credits of this app's daily budget and 100 are left; " +
        'call with timeoutMs of at most 750, or try again after 2026-08-01T00:00:00.000Z, ' +
        'or ask the user to allow this app more.',
    ],
    [
      600,
      "Nothing was run: other calls held too much of this app's daily budget a moment ago; try again now.",
    ],
  ])('with %p of 525 credits left names the app', (left, sentence) => {
    const error = new BudgetExhaustedError(525, MIDNIGHT, left, 'connection');
    expect(codeRefusal(error)).toBe(sentence);
  });
});

describe('the refusal of a run of a machine client', () => {
  it.each([3, 100, 525, undefined])('with %p of 525 credits left speaks of no user', (left) => {
    const sentence = codeRefusal(new BudgetExhaustedError(525, MIDNIGHT, left), true);
    expect(sentence).toContain("this client's daily budget");
    expect(sentence).not.toMatch(/user/);
    const ofPerson = codeRefusal(new BudgetExhaustedError(525, MIDNIGHT, left));
    expect(sentence?.replace("this client's", "the user's")).toBe(ofPerson);
  });

  it('while its own runs are going speaks of no user', () => {
    expect(codeRefusal(new TooManyRunsError(), true)).toMatch(/ runs of this client's code are /);
    expect(codeRefusal(new TooManyRunsError())).toMatch(/ runs of the user's code are /);
  });
});

describe('the refusal of a run that was cancelled', () => {
  it('says that only what ran is charged', () => {
    expect(codeRefusal(new CodeCancelledError(0))).toMatch(/^It was cancelled, and only what ran/);
  });
});

describe('any other error', () => {
  it('has nothing for the model', () => {
    expect(codeRefusal(new Error('connect ECONNREFUSED 10.0.0.5:6379'))).toBeUndefined();
  });
});
