import { fill, type Fragment, html, oncePer } from '../html.js';
import type { Counted } from '../locale/catalogue.js';
import type { PageLanguage } from '../texts/languages.js';

const formatsOf = oncePer(({ tag }: PageLanguage) => ({
  plural: new Intl.PluralRules(tag),
  number: new Intl.NumberFormat(tag),
  minutes: new Intl.NumberFormat(tag, { style: 'unit', unit: 'minute', unitDisplay: 'long' }),
  day: new Intl.DateTimeFormat(tag, { dateStyle: 'medium', timeZone: 'UTC' }),
  moment: new Intl.DateTimeFormat(tag, {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: 'UTC',
  }),
}));

export const number = (language: PageLanguage, n: number) => formatsOf(language).number.format(n);

export function counted(language: PageLanguage, text: Counted, n: number) {
  const form = text[formatsOf(language).plural.select(n)] ?? text.other;
  return fill(form, { n: number(language, n) });
}

export const minutesWords = (language: PageLanguage, minutes: number) =>
  formatsOf(language).minutes.format(minutes);

export const momentWords = (language: PageLanguage, moment: Date) =>
  `${formatsOf(language).moment.format(moment)} UTC`;

/** A day as `YYYY-MM-DD`, in words. */
export const dayWords = (language: PageLanguage, day: string) =>
  formatsOf(language).day.format(new Date(day));

/** Epoch seconds as `YYYY-MM-DD`, in UTC. */
export const dayOf = (seconds: number) => new Date(seconds * 1000).toISOString().slice(0, 10);

/** Epoch seconds in words, in UTC; page-script/local-times.ts replaces them by those of the reader's time zone. */
export function time(language: PageLanguage, seconds: number): Fragment {
  const moment = new Date(seconds * 1000);
  return html`<time datetime="${moment.toISOString()}">${momentWords(language, moment)}</time>`;
}

/** A chart of class `chart`, hidden from screen readers: the page has to give them the same as text. */
export function bars(numbers: readonly number[]): Fragment {
  const most = Math.max(1, ...numbers);
  const heightOf = (n: number) => (n === 0 ? 0 : Math.max(2, Math.round((n / most) * 60)));
  return html`<svg
    class="chart"
    viewBox="0 0 ${numbers.length * 10} 60"
    preserveAspectRatio="none"
    aria-hidden="true"
  >
    ${numbers.map((n, at) => {
      const height = heightOf(n);
      return html`<rect x="${at * 10 + 1}" y="${60 - height}" width="8" height="${height}" />`;
    })}
  </svg>`;
}
