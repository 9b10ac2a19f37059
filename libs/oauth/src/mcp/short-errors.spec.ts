import { shortText, withShortErrors } from './short-errors.js';

const shortened = (answer: unknown): unknown =>
  JSON.parse(withShortErrors(Buffer.from(JSON.stringify(answer))).toString());
const error = (message: string, data?: unknown) => ({
  jsonrpc: '2.0',
  id: 1,
  error: { code: -32_602, message, data },
});

describe('errors in answers', () => {
  it('are cut short, and their data left out when it is long', () => {
    const long = error('x'.repeat(10_000), { sent: 'y'.repeat(10_000) });
    expect(shortened(long)).toEqual({
      ...long,
      error: { code: -32_602, message: expect.stringMatching(/^x{300}…$/) },
    });
    expect(shortened([long, long])).toHaveLength(2);
    expect(shortened(error('x'.repeat(10_000), { supported: ['2026-07-28'] }))).toMatchObject({
      error: { data: { supported: ['2026-07-28'] } },
    });
  });

  it('stay when they are short, and results always do', () => {
    const result = { jsonrpc: '2.0', id: 1, result: { text: 'z'.repeat(10_000), error: { a: 1 } } };
    for (const answer of [error('wrong'), result, [result, error('wrong')]]) {
      expect(shortened(answer)).toEqual(JSON.parse(JSON.stringify(answer)));
    }
  });

  it('are cut between characters', () => {
    expect(shortText('😀'.repeat(200)).isWellFormed()).toBe(true);
  });
});
