import { hub } from '/svc/client.js';
import { element, say } from './elements.js';
import { addMessage } from './messages-view.js';
import { showTabs, tabName } from './tabs-view.js';

const TITLE_KEY = 'tab-title';
const MOST_SHOWN = 200;

const STATES = {
  connecting: 'Connecting to the hub…',
  open: 'Connected to the hub.',
  waiting: 'The connection is lost. Trying again…',
  'signed-out': 'Signed out.',
  'too-many-tabs': 'This account has too many tabs open. Close some, then connect again.',
  closed: 'Not connected.',
};

/**
 * Shows this page as a tab of the account. `onSignedOut` is called when the hub says that the session has
 * ended, and `onUsed` when an app has used the tab, which it pays for from the account's budget.
 */
export function showTab({ onSignedOut, onUsed }) {
  hub.addEventListener('state', ({ detail: state }) => {
    element('hub-state').textContent = STATES[state];
    element('hub-state').dataset.state = state;
    element('reconnect').hidden = state !== 'too-many-tabs';
    if (state === 'signed-out') onSignedOut();
  });
  hub.addEventListener('tabs', ({ detail: tabs }) => showTabs(tabs, hub.tabId));
  hub.addEventListener('message', ({ detail: { from, app, body } }) => {
    const isApp = from === null;
    addMessage({ from: isApp ? app : tabName(from), isApp, body });
    if (isApp) onUsed();
  });
  hub.addEventListener('call', ({ detail }) => {
    addMessage({ from: detail.app, isApp: true, body: inWords(detail) });
    onUsed();
  });
  hub.addEventListener('error', ({ detail: { message } }) =>
    say(`The hub refused that: ${message}`, 'error'),
  );

  document.title = sessionStorage.getItem(TITLE_KEY) ?? document.title;
  element('tab-title').value = document.title;
  element('tab-title').addEventListener('change', ({ target }) => {
    document.title = target.value.trim() || 'Untitled tab';
    sessionStorage.setItem(TITLE_KEY, document.title);
    hub.describe({ title: document.title });
  });
  element('reconnect').addEventListener('click', () => hub.open());
}

function inWords({ tool, input, outcome, error }) {
  const asked = `asked for ${tool} ${JSON.stringify(input).slice(0, MOST_SHOWN)}`;
  if (outcome === 'refused') return `${asked}\nRefused: ${error}`;
  return outcome === 'cancelled' ? `${asked}\nCancelled.` : asked;
}
