import { hub, reviewRequest } from '/svc/client.js';
import { create, element, say } from './elements.js';
import { t } from './language.js';

/** By the id of the request: one that stays is said once, and keeps the focus. */
const banners = new Map();

/** Shows what apps ask of the user, until that is answered, in any tab, or the user signs out. */
export function showRequests() {
  hub.addEventListener('requests', ({ detail: requests }) => {
    const open = new Set(requests.map(({ id }) => id));
    for (const id of banners.keys()) if (!open.has(id)) remove(id);
    for (const request of requests) if (!banners.has(request.id)) add(request);
  });
}

function add({ id, app, title }) {
  const button = create('button', { type: 'button', text: t('Review') });
  button.setAttribute('aria-label', t('Review: {title}', { title }));
  button.addEventListener('click', () => {
    if (reviewRequest(id)) return;
    say(t('Your browser blocked the window. Your account page has the request, too.'), 'error');
  });
  const asks = create('span', { text: t('{app} asks: {title}', { app, title }) });
  const banner = create('div', { className: 'request' }, asks, button);
  banners.set(id, banner);
  element('requests').append(banner);
}

function remove(id) {
  const banner = banners.get(id);
  const hadFocus = banner.contains(document.activeElement);
  banners.delete(id);
  banner.remove();
  if (hadFocus) element('requests').focus();
}
