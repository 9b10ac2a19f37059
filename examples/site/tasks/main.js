import { hub } from '/svc/client.js';
import { followAccount } from '../account.js';
import { showAccount } from '../account-view.js';
import { element, say } from '../elements.js';
import { t } from '../language.js';
import { showRequests } from '../requests.js';
import { confirmRemoval, edit } from './dialogs.js';
import { showTasks } from './list-view.js';
import { showCall } from './log-view.js';
import { TaskList } from './task-list.js';
import { registerTools } from './tools.js';

const STATES = {
  connecting: 'Connecting…',
  open: 'Assistants that you’ve connected can work on this page.',
  waiting: 'Connection lost. Reconnecting…',
  'signed-out': 'You’re not signed in, so assistants can’t work on this page.',
  'too-many-tabs': 'Your account has too many tabs open. Close some, then reload this page.',
  closed: 'You’re not signed in, so assistants can’t work on this page.',
};

const list = new TaskList();

/** Whatever the list refuses is said to the user, too. */
function attempt(action) {
  try {
    action();
    say('');
  } catch ({ message }) {
    say(t(message), 'error');
  }
}

const actions = {
  toggle: ({ id, done }) => attempt(() => list.update(id, { done: !done })),
  async edit(task) {
    const changes = await edit(t('Edit task'), task);
    if (changes) attempt(() => list.update(task.id, changes));
  },
  async remove({ id, title }) {
    if (await confirmRemoval(t('“{title}” will be removed.', { title })))
      attempt(() => list.remove(id));
  },
};

list.addEventListener('change', ({ detail }) => showTasks(list, actions, detail));
showTasks(list, actions);

element('add').addEventListener('click', async () => {
  const task = await edit(t('New task'));
  if (task) attempt(() => list.add(task));
});
element('search').addEventListener('input', ({ target }) => list.look({ search: target.value }));
for (const id of ['show', 'sort'])
  element(id).addEventListener('change', ({ target }) => list.look({ [id]: target.value }));

const showState = () => (element('hub-state').textContent = t(STATES[hub.state]));
hub.addEventListener('state', showState);
hub.addEventListener('call', ({ detail }) => showCall(detail));
showState();
showRequests();

registerTools(list).catch(({ message }) =>
  say(t('Assistants can’t use the tools of this page: {message}', { message }), 'error'),
);
const showSignedIn = (isSignedIn) => {
  element('account').hidden = !isSignedIn;
  element('connect').textContent = t(isSignedIn ? 'Connect one' : 'Sign in and connect one');
};
const refresh = followAccount({
  show: showAccount,
  signedIn: () => showSignedIn(true),
  signedOut: () => showSignedIn(false),
});
// When the service does not answer, the list works all the same.
refresh().catch(() => {});
