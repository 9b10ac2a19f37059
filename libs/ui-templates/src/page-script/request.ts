import {
  browserSupportsWebAuthn,
  type PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';
import type { ScriptTexts } from '../texts/pages.en.js';
import { Refusal, send } from './auth-api.js';
import { againWhenExpired } from './ceremonies.js';
import { answerOnce, goOn, log, part, say, setBusy } from './elements.js';
import { errorMessage, withoutSignUp } from './error-messages.js';
import { showLocalTimes } from './local-times.js';
import { askForPasskey, cancellable } from './passkey-dialog.js';
import { attempt } from './remembered.js';

/** Holds, in this window alone, the path of the request that was answered in it. */
const ANSWERED = 'gatehouse-answered';

/** How long the outcome can be read before the window closes. */
const CLOSING_MS = 4000;

/** Without a passkey the form works without this script. */
export function startRequest(texts: ScriptTexts) {
  showLocalTimes();
  if (document.getElementById('request') === null) return closeOwnWindow();
  answerOnce(part('request'), () => {
    rememberAnswer();
    say(texts.answering);
  });
  offerPasskey(texts);
}

function offerPasskey(texts: ScriptTexts) {
  const buttons = document.querySelectorAll<HTMLButtonElement>('button[type="button"]');
  if (buttons.length === 0) return;
  if (!browserSupportsWebAuthn()) return part('unsupported').removeAttribute('hidden');
  for (const button of buttons) {
    button.disabled = false;
    button.addEventListener('click', () => void allow(button, texts));
  }
}

async function allow(button: HTMLButtonElement, texts: ScriptTexts) {
  const path = location.pathname.replace('/svc/account/', '/svc/me/');
  const ceremony = async () => {
    const options = await send<PublicKeyCredentialRequestOptionsJSON>('POST', `${path}/options`);
    const assertion = await askForPasskey(options);
    await send('POST', path, { decision: button.value, assertion });
  };
  setBusy(true);
  say(texts.signingIn);
  try {
    await cancellable(part('status'), texts.cancel, () => againWhenExpired(ceremony));
    rememberAnswer();
    goOn();
  } catch (error) {
    log(error);
    // Signed out, gone or answered elsewhere: the page says so.
    if (error instanceof Refusal && [401, 404, 409].includes(error.status)) return goOn();
    setBusy(false);
    say(errorMessage(error, 'signIn', withoutSignUp(texts)) ?? '');
    button.focus();
  }
}

const rememberAnswer = () => attempt(() => sessionStorage.setItem(ANSWERED, location.pathname));

/** Once the outcome of an answer given here could be read; only a window that a script of a page opened. */
function closeOwnWindow() {
  const answered = attempt(() => sessionStorage.getItem(ANSWERED));
  if (answered !== location.pathname || globalThis.opener === null) return;
  sessionStorage.removeItem(ANSWERED);
  part('closing').hidden = false;
  setTimeout(() => globalThis.close(), CLOSING_MS);
}
