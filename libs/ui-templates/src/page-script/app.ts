import type { ScriptTexts } from '../texts/pages.en.js';
import { againWhenExpired, signInOnce } from './ceremonies.js';
import { log, onClick, part, say, setBusy } from './elements.js';
import { errorMessage, withoutSignUp } from './error-messages.js';
import { showLocalTimes } from './local-times.js';
import { cancellable } from './passkey-dialog.js';

/** The page works without this script, but for the fresh sign-in that some changes take. */
export function startApp(texts: ScriptTexts) {
  showLocalTimes();
  const button = document.getElementById('sign-in');
  if (button === null) return;
  button.hidden = false;
  onClick('sign-in', async () => {
    setBusy(true);
    say(texts.signingIn);
    try {
      await cancellable(part('status'), texts.cancel, () => againWhenExpired(signInOnce));
      // Without the query, which says why the sign-in was needed.
      location.replace(location.pathname);
    } catch (error) {
      log(error);
      setBusy(false);
      say(errorMessage(error, 'signIn', withoutSignUp(texts)) ?? '');
      button.focus();
    }
  });
}
