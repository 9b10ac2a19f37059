import { UnaffordableRunError } from '#libs/code-runner';
import { explainedRun } from './code-refusals.js';

const MIDNIGHT = '2026-08-01T00:00:00.000Z';

describe('the refusal of a run that the budget does not cover', () => {
  it.each([
    [3, /3 are left; try again after 2026-08-01/],
    [100, /100 are left; call with timeoutMs of at most 750, or try again after 2026-08-01/],
    [525, /^Nothing was run: other calls held .* try again now\.$/],
    [900, /^Nothing was run: other calls held .* try again now\.$/],
  ])('with %d of 525 credits left says what to do', async (left, sentence) => {
    const refused = Promise.reject(new UnaffordableRunError(525, left, MIDNIGHT));
    await expect(explainedRun(refused)).rejects.toMatchObject({
      name: 'ToolError',
      message: expect.stringMatching(sentence),
    });
  });
});
