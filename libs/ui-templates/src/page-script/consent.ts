import { browserSupportsWebAuthn } from '@simplewebauthn/browser';
import type { ScriptTexts } from '../texts/pages.en.js';
import { post } from './auth-api.js';
import { againWhenExpired, signInOnce } from './ceremonies.js';
import { answerOnce, goOn, onClick, part, say, setBusy } from './elements.js';
import { errorMessage, withoutSignUp } from './error-messages.js';
import { cancellable } from './passkey-dialog.js';
import { rememberSignIn } from './remembered.js';

/** The form works without this script. */
export function startConsent(texts: ScriptTexts) {
  rememberSignIn();
  const form = part('consent');
  let outcome = form.hasAttribute('data-opens-app') ? texts.answeredApp : texts.answered;
  answerOnce(form, () => {
    say(texts.answering);
    // The answer may open an app and leave this page open.
    setTimeout(() => say(outcome), 2000);
  });
  document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) => {
    if (effectiveDirective !== 'form-action') return;
    outcome = texts.blocked;
    say(outcome);
  });
  offerPresets();
  offerOtherAccounts(texts);
}

/** Buttons that tick the boxes: as they were, those that only read, or all. */
function offerPresets() {
  const presets = document.getElementById('presets');
  if (presets === null) return;
  presets.hidden = false;
  presets.addEventListener('click', ({ target }) => {
    const preset = target instanceof HTMLElement ? target.dataset['preset'] : undefined;
    if (preset === undefined) return;
    for (const box of document.querySelectorAll<HTMLInputElement>('input[name="scope"]')) {
      const isReading = preset === 'read' && box.dataset['writes'] === undefined;
      box.checked = preset === 'asked' ? box.defaultChecked : preset === 'all' || isReading;
    }
  });
}

/** The person stays signed in until another account signs in: the session ends when the next one begins. */
function offerOtherAccounts(texts: ScriptTexts) {
  const switchAccount = part('switch-account');
  const newAccount = document.getElementById('new-account');
  const words = newAccount ? texts : withoutSignUp(texts);
  const signIn = () => againWhenExpired(signInOnce);
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
  onClick('switch-account', () =>
    attempt(() => cancellable(part('account-status'), texts.cancel, signIn), texts.signingIn),
  );
  if (newAccount) onClick('new-account', () => attempt(() => post('logout', {}), ''));
}
