import { browserSupportsWebAuthn } from '@simplewebauthn/browser';
import type { ScriptTexts } from '../texts/en.js';
import { post } from './auth-api.js';
import { againWhenExpired, signIn } from './ceremonies.js';
import { document, window } from './dom.js';
import { control, element, goOn, say, setBusy } from './elements.js';
import { errorMessage } from './error-messages.js';
import { rememberSignIn } from './signed-in-before.js';
import { withoutSignUp } from './without-sign-up.js';

/** The form works without this: it keeps a second click away from an answer that counts once. */
export function startConsent(texts: ScriptTexts) {
  rememberSignIn();
  const form = element('consent');
  let answered = false;
  let outcome = form.hasAttribute('data-opens-app') ? texts.answeredApp : texts.answered;
  form.addEventListener('submit', (event) => {
    if (answered) return event.preventDefault();
    answered = true;
    say(texts.answering);
    // Once the answer is taken from the form, which a button that is off would not be part of.
    setTimeout(() => setBusy(true));
    // The answer may open an app and leave this page standing.
    setTimeout(() => say(outcome), 2000);
  });
  document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) => {
    if (effectiveDirective !== 'form-action') return;
    outcome = texts.blocked;
    say(outcome);
  });
  // Back to a page that was kept: its form was answered.
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted && answered) goOn();
  });
  offerOtherAccounts(texts);
}

/** Whoever is signed in stays so until somebody else is: the session ends when the next one begins. */
function offerOtherAccounts(texts: ScriptTexts) {
  const switchAccount = control('switch-account');
  const newAccount = document.getElementById('new-account');
  const words = newAccount ? texts : withoutSignUp(texts);
  const attempt = async (step: () => Promise<unknown>, waiting: string) => {
    if (newAccount) newAccount.hidden = false;
    setBusy(true);
    say(waiting, 'account-status');
    try {
      await step();
      goOn();
    } catch (error) {
      setBusy(false);
      say(errorMessage(error, 'switch', words) ?? '', 'account-status');
      switchAccount.focus();
    }
  };
  if (!browserSupportsWebAuthn()) return;
  switchAccount.hidden = false;
  switchAccount.addEventListener(
    'click',
    () => void attempt(() => againWhenExpired(signIn), texts.signingIn),
  );
  newAccount?.addEventListener('click', () => void attempt(() => post('logout', {}), ''));
}
