import { element, say } from './elements.js';
import { Hub } from './hub.js';
import { addMessage } from './messages-view.js';
import { perform } from './methods.js';
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
 * Makes this page a tab of the account. `onSignedOut` is called when the hub says that the session has
 * ended, `onLost` when the connection broke (a refused one looks the same to a page), and `onUsed` when
 * an app has used the tab, which it pays for from the account's budget.
 */
export function createTab({ onSignedOut, onLost, onUsed }) {
  let ownId;

  const events = {
    welcome({ tabId, tabs }) {
      ownId = tabId;
      introduce();
      showTabs(tabs, ownId);
    },
    tabs: ({ tabs }) => showTabs(tabs, ownId),
    message({ from, app, body }) {
      const isApp = from === null;
      addMessage({ from: isApp ? app : tabName(from), isApp, body });
      if (isApp) onUsed();
    },
    request(request) {
      const { id, app, method, params } = request;
      const asked = `asked for ${method} ${JSON.stringify(params ?? {}).slice(0, MOST_SHOWN)}`;
      try {
        const value = perform(request);
        hub.emit('result', { id, ok: true, value });
        addMessage({ from: app, isApp: true, body: asked });
      } catch (error) {
        hub.emit('result', { id, ok: false, error: error.message });
        addMessage({ from: app, isApp: true, body: `${asked}\nRefused: ${error.message}` });
      }
      onUsed();
    },
    error: ({ message }) => say(`The hub refused that: ${message}`, 'error'),
  };

  const hub = new Hub({
    onState(state) {
      element('hub-state').textContent = STATES[state];
      element('hub-state').dataset.state = state;
      element('reconnect').hidden = state !== 'too-many-tabs';
      if (state === 'signed-out') onSignedOut();
      if (state === 'waiting') onLost();
    },
    onFrame: (event, data) => Object.hasOwn(events, event) && events[event](data),
  });

  const introduce = () =>
    hub.emit('hello', { title: document.title, url: location.origin + location.pathname });

  document.title = sessionStorage.getItem(TITLE_KEY) ?? document.title;
  element('tab-title').value = document.title;
  element('tab-title').addEventListener('change', ({ target }) => {
    document.title = target.value.trim() || 'Untitled tab';
    sessionStorage.setItem(TITLE_KEY, document.title);
    introduce();
  });
  element('reconnect').addEventListener('click', () => hub.open());
  return hub;
}
