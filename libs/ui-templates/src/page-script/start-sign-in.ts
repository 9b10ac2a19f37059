import { type AuthenticationResponseJSON, browserSupportsWebAuthn } from '@simplewebauthn/browser';
import type { ScriptTexts } from '../texts/en.js';
import { Autofill } from './autofill.js';
import { againWhenExpired, finishSignIn, signIn, signInImmediately, signUp } from './ceremonies.js';
import { document } from './dom.js';
import { control, element, goOn, say, setBusy } from './elements.js';
import { type Ceremony, errorMessage } from './error-messages.js';
import { offersImmediately } from './immediate.js';
import { offerLocalhost, offerOtherBrowser } from './passkeys-unavailable.js';
import { SignUpForm } from './sign-up-form.js';
import { rememberSignIn, wasSignedInBefore } from './signed-in-before.js';
import { takeSignOut } from './signed-out.js';
import { withoutSignUp } from './without-sign-up.js';

export function startSignIn(texts: ScriptTexts) {
  if (document.getElementById('address-hint')) return offerLocalhost();
  if (!browserSupportsWebAuthn()) return offerOtherBrowser(texts);
  const form = SignUpForm.find();
  const words = form === undefined ? withoutSignUp(texts) : texts;
  const name = document.getElementById('name');
  const button = control('sign-in');
  let immediate = offersImmediately();
  // oxlint-disable-next-line no-console
  const log = (error: unknown) => console.warn(error);

  const perform = async (ceremony: Ceremony, run: () => Promise<unknown>) => {
    autofill.disarm();
    setBusy(true);
    form?.clear();
    say(ceremony === 'signIn' ? texts.signingIn : texts.creating);
    try {
      await againWhenExpired(run);
      rememberSignIn();
      say(texts.done);
      goOn();
    } catch (error) {
      log(error);
      // The next press asks for passkeys that are not on this device.
      immediate = Promise.resolve(false);
      setBusy(false);
      explain(ceremony, error);
    }
  };
  const explain = (ceremony: Ceremony, error: unknown) => {
    const message = errorMessage(error, ceremony, words) ?? '';
    say('');
    if (form?.explain(error, message)) return;
    say(message);
    (ceremony === 'signIn' ? button : control('create')).focus();
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

  name?.addEventListener('focus', () => {
    // The offer would cancel a ceremony in progress.
    if (!button.disabled) autofill.arm();
  });
  button.addEventListener('click', () => {
    void perform('signIn', async () => ((await immediate) ? signInImmediately() : signIn()));
  });
  document.getElementById('create-account')?.addEventListener('submit', (event) => {
    event.preventDefault();
    void perform('signUp', () => signUp(form?.values() ?? {}));
  });
  if (wasSignedInBefore()) element('known').textContent = texts.seenHere;
  setBusy(false);
  if (takeSignOut()) say(texts.signedOut);
}
