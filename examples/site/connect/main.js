import { hub, signIn, signOut, signUp } from '/svc/client.js';
import { followAccount } from '../account.js';
import { showAccount } from '../account-view.js';
import { element, say } from '../elements.js';
import { explain } from '../failure.js';
import { t } from '../language.js';
import { showRequests } from '../requests.js';
import { clearMessages } from './messages-view.js';
import { clearStage } from './stage.js';
import { showTab } from './tab.js';
import { registerTools } from './tools.js';

showTab();
showRequests();
registerTools().catch(({ message }) =>
  say(t('Apps can’t use the tools of this page: {message}', { message }), 'error'),
);

/** The cookie is not readable from here, so the service is asked who is signed in. */
const refresh = followAccount({
  show: showAccount,
  signedIn() {
    element('signed-out').hidden = true;
    element('signed-in').hidden = false;
  },
  /** Nothing of the account stays on a page that another person may use next. */
  signedOut(isNews) {
    clearMessages();
    clearStage();
    element('signed-in').hidden = true;
    element('signed-out').hidden = false;
    if (isNews) say(t('You are signed out.'));
  },
});

/** Runs what a button is for; `focus` is where the keyboard goes when that button is no longer there. */
async function act(button, { waiting = '', done, focus }, action) {
  button.disabled = true;
  say(waiting, 'waiting');
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

const waiting = t('Waiting for your passkey…');

const onClick = (id, words, action) =>
  element(id).addEventListener('click', ({ currentTarget }) => act(currentTarget, words, action));
onClick('sign-in', { waiting, done: t('Signed in.'), focus: element('account-heading') }, signIn);
onClick('sign-out', { done: t('You are signed out.'), focus: element('sign-in') }, signOut);

element('create-account').addEventListener('submit', (event) => {
  event.preventDefault();
  const words = { waiting, done: t('Your account is ready.'), focus: element('account-heading') };
  void act(element('create'), words, () => signUp({ displayName: element('name').value }));
});

element('send').addEventListener('submit', async (event) => {
  event.preventDefault();
  try {
    const delivered = await hub.send(element('body').value, element('to').value);
    const text = delivered === 1 ? 'Delivered to 1 tab.' : 'Delivered to {delivered} tabs.';
    say(t(text, { delivered }));
    element('body').value = '';
  } catch (error) {
    say(t('The message may not have arrived: {message}.', error), 'error');
  }
});

element('mcp-address').value = `${location.origin}/svc/mcp`;
element('copy').addEventListener('click', async () => {
  element('mcp-address').select();
  try {
    await navigator.clipboard.writeText(element('mcp-address').value);
    say(t('Address copied.'));
  } catch {
    say(t('The address is selected. Copy it with your keyboard.'));
  }
});

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
