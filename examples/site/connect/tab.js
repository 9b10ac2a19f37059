import { hub } from '/svc/client.js';
import { element, say } from '../elements.js';
import { t } from '../language.js';
import { addMessage } from './messages-view.js';
import { showTabs, tabName } from './tabs-view.js';

const TITLE_KEY = 'tab-title';
const MOST_SHOWN = 200;

const STATES = {
  connecting: 'Connecting to the hub…',
  open: 'Connected to the hub.',
  waiting: 'Connection lost. Reconnecting…',
  'signed-out': 'Signed out.',
  'too-many-tabs': 'Your account has too many tabs open. Close some, then reconnect.',
  closed: 'Not connected.',
};

/** Shows this page as a tab of the account. */
export function showTab() {
  hub.addEventListener('state', ({ detail: state }) => {
    element('hub-state').textContent = t(STATES[state]);
    element('hub-state').dataset.state = state;
    element('reconnect').hidden = state !== 'too-many-tabs';
  });
  hub.addEventListener('tabs', ({ detail: tabs }) => showTabs(tabs, hub.tabId));
  hub.addEventListener('message', ({ detail: { from, app, body } }) => {
    const isApp = from === null;
    addMessage({ from: isApp ? app : tabName(from), isApp, body });
  });
  hub.addEventListener('call', ({ detail }) => {
    addMessage({ from: detail.app, isApp: true, body: inWords(detail) });
  });
  hub.addEventListener('error', ({ detail: { message } }) =>
    say(t('The hub refused that: {message}', { message }), 'error'),
  );

  document.title = sessionStorage.getItem(TITLE_KEY) ?? document.title;
  element('tab-title').value = document.title;
  element('tab-title').addEventListener('change', ({ target }) => {
    document.title = target.value.trim() || t('Untitled tab');
    sessionStorage.setItem(TITLE_KEY, document.title);
    hub.describe({ title: document.title });
  });
  element('reconnect').addEventListener('click', () => hub.open());
}

function inWords({ tool, input, outcome, error }) {
  const asked = t('called {tool} {input}', {
    tool,
    input: JSON.stringify(input).slice(0, MOST_SHOWN),
  });
  if (outcome === 'refused') return `${asked}\n${t('Refused: {error}', { error })}`;
  return outcome === 'cancelled' ? `${asked}\n${t('Canceled.')}` : asked;
}
