/** Shows the moments of the page, which the service tells in UTC, in the reader's time zone. */
export function showLocalTimes() {
  const { lang } = document.documentElement;
  const format = new Intl.DateTimeFormat(lang, { dateStyle: 'medium', timeStyle: 'short' });
  for (const time of document.querySelectorAll('time')) {
    time.textContent = format.format(new Date(time.dateTime));
  }
}
