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

/** Without a passkey the form works without this script. */
export function startRequest(texts: ScriptTexts) {
  showLocalTimes();
  const form = document.getElementById('request');
  if (form === null) return;
  answerOnce(form, () => say(texts.answering));
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
