import { create, element } from '../elements.js';
import { t } from '../language.js';

const MOST_KEPT = 100;
const clock = new Intl.DateTimeFormat(document.documentElement.lang, { timeStyle: 'medium' });

/**
 * Adds a line to the log, the newest first. `body` may be any JSON: it is shown, never interpreted.
 * Apps are marked as such, because anyone can name an app like one of your tabs.
 */
export function addMessage({ from, isApp, body }) {
  const text = typeof body === 'string' ? body : JSON.stringify(body, null, 2);
  const time = create('time', { className: 'quiet', text: clock.format() });
  const mark = isApp ? [create('span', { className: 'badge', text: t('app') })] : [];
  const head = create('p', {}, create('strong', { text: from }), ...mark, ' ', time);
  element('messages').prepend(create('li', {}, head, create('pre', { text })));
  while (element('messages').childElementCount > MOST_KEPT) element('messages').lastChild.remove();
  showLog(true);
}

export function clearMessages() {
  element('messages').replaceChildren();
  showLog(false);
}

function showLog(visible) {
  element('log').hidden = !visible;
  element('no-messages').hidden = visible;
}
