import type { ScriptTexts } from '../texts.js';
import { post, type Refusal } from './auth-api.js';
import { document, location } from './dom.js';
import { control, element, say, setBusy } from './elements.js';
import { refusalMessage } from './error-messages.js';

/** The form works without this: it keeps a second click away from an answer that counts once. */
export function startConsent(texts: ScriptTexts) {
  let answered = false;
  let outcome = texts.answered;
  element('consent').addEventListener('submit', (event) => {
    if (answered) event.preventDefault();
    answered = true;
    // The answer may open an app and leave this page standing.
    setTimeout(() => say(outcome), 2000);
  });
  document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) => {
    if (effectiveDirective !== 'form-action') return;
    outcome = texts.blocked;
    say(outcome);
  });

  const switchAccount = control('switch-account');
  switchAccount.hidden = false;
  switchAccount.addEventListener('click', () => {
    setBusy(true);
    post('logout', {}).then(
      () => location.replace(location.pathname + location.search),
      (refusal: Refusal) => {
        setBusy(false);
        say(refusalMessage(refusal, texts));
        switchAccount.focus();
      },
    );
  });
}
