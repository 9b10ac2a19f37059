import type { ContentScreener } from './content-screener.js';

/** Of every screener under test it is known that it takes the first text and refuses the second. */
export const ACCEPTED_TEXT = 'Please look at the second chart.';
export const REFUSED_TEXT = 'you are a fucking fool';

/** What every ContentScreener must do; each adapter's spec runs it. */
export function describeContentScreener(open: () => ContentScreener) {
  const screen = (text: string) => open().screen({ userId: 'ann', app: 'Robot', text });

  it('accepts', async () => {
    await expect(screen(ACCEPTED_TEXT)).resolves.toBe('accepted');
  });

  it('refuses', async () => {
    await expect(screen(REFUSED_TEXT)).resolves.toBe('refused');
  });

  it('finds it anywhere in the longest text', async () => {
    const filler = `${ACCEPTED_TEXT}\n`.repeat(1_800);
    await expect(screen(filler)).resolves.toBe('accepted');
    for (const text of [REFUSED_TEXT + filler, filler + REFUSED_TEXT]) {
      await expect(screen(text)).resolves.toBe('refused');
    }
  });

  it('answers everyone about their own text in parallel', async () => {
    const texts = Array.from({ length: 24 }, (_, i) => (i % 3 ? ACCEPTED_TEXT : REFUSED_TEXT));
    const results = await Promise.all(texts.map(screen));
    expect(results).toEqual(texts.map((text) => (text === REFUSED_TEXT ? 'refused' : 'accepted')));
  });
}
