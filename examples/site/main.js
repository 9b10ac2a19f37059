import { fetchAccount, hub, signIn, signOut, signUp } from '/svc/client.js';
import { showAccount } from './account-view.js';
import { element, say } from './elements.js';
import { explain } from './failure.js';
import { clearMessages } from './messages-view.js';
import { clearStage } from './stage.js';
import { showTab } from './tab.js';
import { registerTools } from './tools.js';

const REFRESH_DELAY_MS = 300;
let refreshing;
let isSignedIn = false;

const refreshSoon = () => {
  clearTimeout(refreshing);
  // Nobody asked for it, so nobody is told when it fails.
  refreshing = setTimeout(() => refresh().catch(() => {}), REFRESH_DELAY_MS);
};

showTab({ onSignedOut: () => showSignedOut('You are signed out.'), onUsed: refreshSoon });
registerTools().catch(({ message }) => say(`Apps get no tools of this page: ${message}`, 'error'));

/** Shows what the service says now. The cookie is not readable from here, so the service is asked. */
async function refresh() {
  const account = await fetchAccount();
  if (account.user === null) return showSignedOut(isSignedIn ? 'You are signed out.' : '');
  showAccount(account);
  if (!isSignedIn) showSignedIn();
}

function showSignedIn() {
  isSignedIn = true;
  element('signed-out').hidden = true;
  element('signed-in').hidden = false;
  hub.open();
}

/** Nothing of the account stays on a page that somebody else may use next. */
function showSignedOut(news) {
  isSignedIn = false;
  clearTimeout(refreshing);
  hub.close();
  clearMessages();
  clearStage();
  element('signed-in').hidden = true;
  element('signed-out').hidden = false;
  say(news);
}

/** Runs what a button is for; `focus` is where the keyboard goes when that button is no longer there. */
async function act(button, { waiting = '', done, focus }, action) {
  button.disabled = true;
  say(waiting);
  try {
    await action();
    await refresh();
    say(done);
  } catch (error) {
    focus = undefined;
    say(explain(error), 'error');
  }
  button.disabled = false;
  // Disabling it has taken the focus away from it.
  (focus ?? button).focus();
}

const waiting = 'Waiting for your passkey…';

const onClick = (id, words, action) =>
  element(id).addEventListener('click', ({ currentTarget }) => act(currentTarget, words, action));
onClick('sign-in', { waiting, done: 'Signed in.', focus: element('account-heading') }, signIn);
onClick('sign-out', { done: 'You are signed out.', focus: element('sign-in') }, signOut);

element('create-account').addEventListener('submit', (event) => {
  event.preventDefault();
  const words = { waiting, done: 'Your account is ready.', focus: element('account-heading') };
  void act(element('create'), words, () => signUp({ displayName: element('name').value }));
});

element('send').addEventListener('submit', async (event) => {
  event.preventDefault();
  try {
    const delivered = await hub.send(element('body').value, element('to').value);
    say(delivered === 1 ? 'Delivered to 1 tab.' : `Delivered to ${delivered} tabs.`);
    element('body').value = '';
  } catch (error) {
    say(`The message may not have arrived: ${error.message}.`, 'error');
  }
});

element('mcp-address').value = `${location.origin}/svc/mcp`;
element('copy').addEventListener('click', async () => {
  element('mcp-address').select();
  try {
    await navigator.clipboard.writeText(element('mcp-address').value);
    say('Address copied.');
  } catch {
    say('Press the copy keys now: the address is selected.');
  }
});

// The account may have changed on its page; whoever comes back from there wants to see it here.
addEventListener('focus', refreshSoon);

/** Browsers run passkeys on host names only: on `http://localhost`, but never on `http://127.0.0.1`. */
const isOnAddress = /^(\d+(\.\d+){3}|\[.+\])$/.test(location.hostname);

if (isOnAddress) {
  const there = new URL(location.href);
  there.hostname = 'localhost';
  element('localhost-link').href = there.href;
  element('localhost-link').textContent = there.origin;
  element('address-hint').hidden = false;
} else if (!('PublicKeyCredential' in globalThis)) {
  element('no-passkeys').hidden = false;
} else {
  await refresh().catch((error) => say(explain(error), 'error'));
}
