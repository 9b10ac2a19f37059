import { shortError, shortText } from './errors.js';

const CODE = -32_602;

describe('errors in answers', () => {
  it('are cut short, and their data left out when it is long', () => {
    const long = { code: CODE, message: 'x'.repeat(10_000), data: { sent: 'y'.repeat(10_000) } };
    expect(shortError(long)).toEqual({ code: CODE, message: expect.stringMatching(/^x{300}…$/) });
    const data = { supported: ['2026-07-28'] };
    expect(shortError({ ...long, data })).toMatchObject({ data });
  });

  it('stay when they are short', () => {
    for (const error of [
      { code: CODE, message: 'wrong' },
      { code: CODE, message: 'wrong', data: [] },
    ]) {
      expect(shortError(error)).toEqual(error);
    }
  });

  it('are cut between characters', () => {
    expect(shortText('😀'.repeat(200)).isWellFormed()).toBe(true);
  });
});
