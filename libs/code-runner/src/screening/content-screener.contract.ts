import type { ContentScreener } from './content-screener.js';

/** Texts whose results are known for the screener under test; where one is omitted, nothing is expected. */
export interface KnownTexts {
  readonly accepted?: string;
  readonly refused?: string;
}

/** The longest text that a tool accepts. */
const LONGEST = 65_536;
const RESULTS = ['accepted', 'refused'];

/** What every ContentScreener must do, with any rules; each adapter's spec runs it. */
export function describeContentScreener(
  open: () => ContentScreener,
  { accepted, refused }: KnownTexts = {},
) {
  const screen = (text: string, signal?: AbortSignal) =>
    open().screen({ userId: 'ann', app: 'Robot', text }, signal);
  const known = [
    ...(accepted === undefined ? [] : [{ text: accepted, result: 'accepted' }]),
    ...(refused === undefined ? [] : [{ text: refused, result: 'refused' }]),
  ];

  it('decides about any text, from the shortest to the longest', async () => {
    for (const text of ['x', ' ', '\0', '\u{D800}', '漢字', 'x '.repeat(LONGEST / 2)]) {
      expect(RESULTS).toContain(await screen(text));
    }
  });

  for (const { text, result } of known) {
    it(`has ${text} ${result}`, async () => {
      await expect(screen(text)).resolves.toBe(result);
    });
  }

  it('answers everyone about their own text in parallel', async () => {
    const texts = known.length > 0 ? known : [{ text: 'x', result: expect.stringMatching(/ed$/) }];
    const asked = Array.from({ length: 8 }, () => texts).flat();
    const results = await Promise.all(asked.map(({ text }) => screen(text)));
    expect(results).toEqual(asked.map(({ result }) => result as unknown));
  });

  it('settles when its signal is aborted', async () => {
    const [ended] = await Promise.allSettled([screen('x', AbortSignal.abort())]);
    expect(ended).toBeDefined();
  });
}
