import { type AuthenticationResponseJSON, browserSupportsWebAuthn } from '@simplewebauthn/browser';
import type { ScriptTexts } from '../texts.js';
import { isNameRefused } from './auth-api.js';
import { Autofill } from './autofill.js';
import { againWhenExpired, finishSignIn, signIn, signUp } from './ceremonies.js';
import { document, location } from './dom.js';
import { control, element, say, setBusy } from './elements.js';
import { type Ceremony, errorMessage } from './error-messages.js';
import { offerLocalhost, offerOtherBrowser } from './passkeys-unavailable.js';

export function startSignIn(texts: ScriptTexts) {
  if (document.getElementById('address-hint')) return offerLocalhost();
  if (!browserSupportsWebAuthn()) return offerOtherBrowser(texts);
  const name = control('name');
  // oxlint-disable-next-line no-console
  const log = (error: unknown) => console.warn(error);

  const perform = async (ceremony: Ceremony, run: () => Promise<unknown>) => {
    autofill.disarm();
    setBusy(true);
    name.removeAttribute('aria-invalid');
    say(ceremony === 'signIn' ? texts.signingIn : texts.creating);
    try {
      await againWhenExpired(run);
      say(texts.done);
      // Not reload(): after it Firefox goes on to call the visit cross-site.
      location.replace(location.pathname + location.search);
    } catch (error) {
      log(error);
      setBusy(false);
      say(errorMessage(error, ceremony, texts) ?? '');
      returnTo(ceremony, error);
    }
  };
  const returnTo = (ceremony: Ceremony, error: unknown) => {
    if (!isNameRefused(error)) return control(ceremony === 'signIn' ? 'sign-in' : 'create').focus();
    name.setAttribute('aria-invalid', 'true');
    name.focus();
  };

  const signInWith = (response: AuthenticationResponseJSON) => {
    let chosen: AuthenticationResponseJSON | undefined = response;
    const finishOrStartOver = () => {
      const given = chosen;
      chosen = undefined;
      return given === undefined ? signIn() : finishSignIn(given);
    };
    void perform('signIn', finishOrStartOver);
  };
  const autofill = new Autofill(() => document.activeElement === name, signInWith, log);

  name.addEventListener('focus', () => autofill.arm());
  element('sign-in').addEventListener('click', () => void perform('signIn', signIn));
  element('create-account').addEventListener('submit', (event) => {
    event.preventDefault();
    void perform('signUp', () => signUp(name.value));
  });
  setBusy(false);
}
