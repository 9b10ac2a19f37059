import { element } from './elements.js';
import { t } from './language.js';

const lang = document.documentElement.lang;
const inWords = new Intl.RelativeTimeFormat(lang);
const clock = new Intl.DateTimeFormat(lang, { hour: 'numeric', minute: '2-digit' });

export function showAccount({ user, budget }) {
  element('account-name').textContent = user.displayName;
  element('budget-bar').hidden = budget === null;
  element('budget').textContent =
    budget === null
      ? t('Your credits can’t be shown right now.')
      : `${t('{used} of {limit} credits used today.', budget)} ${resetOf(budget)}`;
  if (budget === null) return;
  // A limit of 0 is allowed, a `max` of 0 is not.
  element('budget-bar').max = Math.max(budget.limit, 1);
  element('budget-bar').value = budget.used;
}

function resetOf({ resetsAt }) {
  const time = new Date(resetsAt);
  const minutes = Math.max(1, Math.ceil((time - Date.now()) / 60_000));
  const when =
    minutes < 90
      ? inWords.format(minutes, 'minute')
      : inWords.format(Math.round(minutes / 60), 'hour');
  return t('Resets {when}, at {time} your time.', { when, time: clock.format(time) });
}
