import type { AccountScriptTexts } from '../../account/account-texts.js';
import { fillText } from '../elements.js';

type PageTexts = AccountScriptTexts['page'];

/** Isolates a name that other people chose, so that right-to-left text in it cannot reorder the sentence. */
export const isolate = (name: string) => `\u2068${name}\u2069`;

/** `text` with a name that other people chose for `{name}`. */
export const fillName = (text: string, name: string) => fillText(text, { name: isolate(name) });

export const capital = (text: string) =>
  text.replace(/^./u, (first) => first.toLocaleUpperCase(document.documentElement.lang));

const MINUTE_S = 60;
const DAY_S = 24 * 60 * MINUTE_S;

/**
 * A moment as the end of a sentence: "just now", "5 minutes ago", "today at 2:05 PM", "yesterday at 2:05 PM",
 * "on November 3", with the year in another one. Takes epoch seconds or ISO 8601.
 */
export function timeWords(
  moment: number | string,
  { justNow, onDate, atTime }: PageTexts,
  now = new Date(),
): string {
  const at = new Date(typeof moment === 'number' ? moment * 1000 : moment);
  const { lang } = document.documentElement;
  const seconds = (at.getTime() - now.getTime()) / 1000;
  const relative = new Intl.RelativeTimeFormat(lang, { numeric: 'auto' });
  if (Math.abs(seconds) < MINUTE_S) return justNow;
  if (Math.abs(seconds) < 60 * MINUTE_S) {
    return relative.format(Math.trunc(seconds / MINUTE_S), 'minute');
  }
  const days = Math.round((midnight(at) - midnight(now)) / (1000 * DAY_S));
  if (Math.abs(days) > 1) {
    const year = at.getFullYear() === now.getFullYear() ? {} : ({ year: 'numeric' } as const);
    const date = new Intl.DateTimeFormat(lang, { month: 'long', day: 'numeric', ...year });
    return fillText(onDate, { date: date.format(at) });
  }
  const time = new Intl.DateTimeFormat(lang, { timeStyle: 'short' }).format(at);
  return fillText(atTime, { day: relative.format(days, 'day'), time });
}

/** `text` with a moment for `{when}`. */
export const whenWords = (text: string, moment: number | string, page: PageTexts) =>
  fillText(text, { when: timeWords(moment, page) });

const midnight = (date: Date) => new Date(date).setHours(0, 0, 0, 0);

/** The service's name of a browser, `Firefox on Windows`, in the form of `text` with `{browser}` and `{system}`. */
export function browserWords(name: string, text: string): string {
  const [, browser, system] = /^(.+) on (.+)$/.exec(name) ?? [];
  if (browser === undefined || system === undefined) return name;
  return fillText(text, { browser, system });
}

/** The kind of device, derived from the service's name of the browser. */
export function deviceOf(browser: string | null): 'phone' | 'tablet' | 'computer' {
  const [, system] = / on (\w+)$/.exec(browser ?? '') ?? [];
  if (system === 'iPad') return 'tablet';
  return system === 'iPhone' || system === 'Android' ? 'phone' : 'computer';
}
