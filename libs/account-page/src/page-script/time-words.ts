const MINUTE_S = 60;
const DAY_S = 24 * 60 * MINUTE_S;

/**
 * A moment in words, after a text such as "Last used": "just now", "5 minutes ago", "today at 14:05",
 * "yesterday at 14:05", "on November 3, 2026". Takes epoch seconds or ISO 8601.
 */
export function timeWords(moment: number | string, now = new Date()): string {
  const at = new Date(typeof moment === 'number' ? moment * 1000 : moment);
  const lang = document.documentElement.lang;
  const seconds = (at.getTime() - now.getTime()) / 1000;
  const relative = new Intl.RelativeTimeFormat(lang, { numeric: 'auto' });
  if (Math.abs(seconds) < MINUTE_S) return relative.format(0, 'second');
  if (Math.abs(seconds) < 60 * MINUTE_S)
    return relative.format(Math.trunc(seconds / MINUTE_S), 'minute');
  const days = Math.round((midnight(at) - midnight(now)) / (1000 * DAY_S));
  if (Math.abs(days) > 1)
    return `on ${new Intl.DateTimeFormat(lang, { dateStyle: 'long' }).format(at)}`;
  const time = new Intl.DateTimeFormat(lang, { timeStyle: 'short' }).format(at);
  return `${relative.format(days, 'day')} at ${time}`;
}

const midnight = (date: Date) => new Date(date).setHours(0, 0, 0, 0);
