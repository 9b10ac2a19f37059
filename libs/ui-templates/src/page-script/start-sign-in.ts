import {
  type AuthenticationResponseJSON,
  browserSupportsWebAuthn,
  browserSupportsWebAuthnAutofill,
} from '@simplewebauthn/browser';
import type { ScriptTexts } from '../texts.js';
import { nameFault } from './auth-api.js';
import { Autofill } from './autofill.js';
import { againWhenExpired, finishSignIn, signIn, signInImmediately, signUp } from './ceremonies.js';
import { document } from './dom.js';
import { control, element, goOn, say, setBusy } from './elements.js';
import { type Ceremony, errorMessage } from './error-messages.js';
import { offersImmediately } from './immediate.js';
import { offerLocalhost, offerOtherBrowser } from './passkeys-unavailable.js';
import { rememberSignIn, wasSignedInBefore } from './signed-in-before.js';

export function startSignIn(texts: ScriptTexts) {
  if (document.getElementById('address-hint')) return offerLocalhost();
  if (!browserSupportsWebAuthn()) return offerOtherBrowser(texts);
  const name = control('name');
  const account = control('account');
  const button = control('sign-in');
  let immediate = offersImmediately();
  // oxlint-disable-next-line no-console
  const log = (error: unknown) => console.warn(error);

  const perform = async (ceremony: Ceremony, run: () => Promise<unknown>) => {
    autofill.disarm();
    setBusy(true);
    name.removeAttribute('aria-invalid');
    say('', 'name-fault');
    say(ceremony === 'signIn' ? texts.signingIn : texts.creating);
    try {
      await againWhenExpired(run);
      rememberSignIn();
      say(texts.done);
      goOn();
    } catch (error) {
      log(error);
      // Whatever is not on this device is asked for by the next press.
      immediate = Promise.resolve(false);
      setBusy(false);
      explain(ceremony, error);
    }
  };
  const explain = (ceremony: Ceremony, error: unknown) => {
    const message = errorMessage(error, ceremony, texts) ?? '';
    if (nameFault(error) === undefined) {
      say(message);
      return (ceremony === 'signIn' ? button : control('create')).focus();
    }
    say('');
    name.setAttribute('aria-invalid', 'true');
    name.focus();
    say(message, 'name-fault');
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
  const autofill = new Autofill(() => document.activeElement === account, signInWith, log);

  account.addEventListener('focus', () => {
    // A ceremony under way would be cancelled by the offer.
    if (!button.disabled) autofill.arm();
  });
  element('sign-in-form').addEventListener('submit', (event) => {
    event.preventDefault();
    void perform('signIn', async () => ((await immediate) ? signInImmediately() : signIn()));
  });
  element('create-account').addEventListener('submit', (event) => {
    event.preventDefault();
    void perform('signUp', () => signUp(name.value));
  });
  void showSuggestions();
  if (wasSignedInBefore()) element('known').textContent = texts.seenHere;
  setBusy(false);
}

async function showSuggestions() {
  element('suggestions').hidden = !(await browserSupportsWebAuthnAutofill());
}
