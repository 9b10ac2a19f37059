import {
  type AuthenticationResponseJSON,
  browserSupportsWebAuthn,
  browserSupportsWebAuthnAutofill,
} from '@simplewebauthn/browser';
import type { ScriptTexts } from '../texts/pages.en.js';
import { fieldAtFault } from './auth-api.js';
import {
  againWhenExpired,
  finishSignIn,
  offersImmediately,
  requestOptions,
  signInOnce,
  signInImmediately,
  signUpOnce,
} from './ceremonies.js';
import { goOn, log, onClick, part, say, setBusy } from './elements.js';
import { type Ceremony, errorMessage, withoutSignUp } from './error-messages.js';
import { askForPasskey, cancellable, replaceDialog } from './passkey-dialog.js';
import { rememberSignIn, takeSignOut, wasSignedInBefore } from './remembered.js';

/** How many requests for suggestions may fail: a manager that refuses each may bring the focus back each time. */
const MAX_FAILED_OFFERS = 4;

/** Offers passkeys among the suggestions of the name field, once that field has the focus. */
class Autofill {
  private turn: object | undefined;
  private renewal: ReturnType<typeof setTimeout> | undefined;
  private failures = 0;

  constructor(
    private readonly isWanted: () => boolean,
    private readonly chosen: (response: AuthenticationResponseJSON) => void,
  ) {}

  arm() {
    if (this.turn !== undefined || this.failures === MAX_FAILED_OFFERS) return;
    const turn = {};
    this.turn = turn;
    this.offer(turn).catch((error: unknown) => {
      // A cancelled offer is not a failure.
      if (this.turn !== turn) return;
      this.turn = undefined;
      this.failures += 1;
      log(error);
    });
  }

  disarm() {
    clearTimeout(this.renewal);
    this.turn = undefined;
    replaceDialog();
  }

  private async offer(turn: object) {
    if (!(await browserSupportsWebAuthnAutofill()) || this.turn !== turn) return;
    const options = await requestOptions();
    if (this.turn !== turn) return;
    // One minute before the challenge expires.
    this.renewal = setTimeout(() => this.renew(), 4 * 60_000);
    const response = await askForPasskey(options, { mediation: 'conditional' });
    if (this.turn === turn) this.chosen(response);
  }

  private renew() {
    this.disarm();
    if (this.isWanted()) this.arm();
  }
}

/** A link to the page may carry the code in its fragment, which reaches no server and no log. */
const INVITE_IN_FRAGMENT = /^#invite=([\w-]{1,64})(?![\w-])/;

/** The form to create an account; undefined where the page offers no sign-up. */
function signUpForm() {
  const form = document.querySelector<HTMLFormElement>('form#create-account');
  if (!form) return undefined;
  const fields = form.querySelectorAll('input');
  const [, code] = INVITE_IN_FRAGMENT.exec(location.hash) ?? [];
  const invite = form.querySelector<HTMLInputElement>('#invite');
  if (invite && code !== undefined) invite.value = code;
  return {
    /** The body of `register/options`. */
    values() {
      const { name: displayName, ...others } = Object.fromEntries(new FormData(form));
      return { displayName, ...others };
    },
    clear() {
      for (const field of fields) {
        field.removeAttribute('aria-invalid');
        say('', `${field.id}-fault`);
      }
    },
    /** Shows the service's refusal beneath the field that it is about. Returns false where it is about none. */
    explain(error: unknown, message: string): boolean {
      const id = fieldAtFault(error);
      const field = id && form.querySelector<HTMLInputElement>(`#${id}`);
      if (!field) return false;
      field.setAttribute('aria-invalid', 'true');
      field.focus();
      say(message, `${field.id}-fault`);
      return true;
    },
  };
}

function offerOtherBrowser(texts: ScriptTexts) {
  const link = part<HTMLInputElement>('link');
  link.value = location.href;
  part('unsupported').hidden = false;
  onClick('copy', async () => {
    link.select();
    try {
      await navigator.clipboard.writeText(location.href);
      say(texts.copied);
    } catch {
      // An embedded browser may have no clipboard.
      say(texts.copyYourself);
    }
  });
}

/** Links to this page under `localhost`; the app's `resource` parameter changes with the origin. */
function offerLocalhost() {
  const link = document.getElementById('localhost-link');
  if (link === null) return;
  const { href, origin, hostname } = location;
  const there = origin.replace(hostname, 'localhost');
  const resource = (of: string) => 'resource=' + encodeURIComponent(of);
  const address = href.replace(origin, there).replace(resource(origin), resource(there));
  link.setAttribute('href', address);
}

export function startSignIn(texts: ScriptTexts) {
  if (document.getElementById('address-hint')) return offerLocalhost();
  if (!browserSupportsWebAuthn()) return offerOtherBrowser(texts);
  const form = signUpForm();
  const words = form === undefined ? withoutSignUp(texts) : texts;
  const name = document.getElementById('name');
  const button = part<HTMLButtonElement>('sign-in');
  let immediate = offersImmediately();

  const perform = async (ceremony: Ceremony, run: () => Promise<unknown>) => {
    autofill.disarm();
    setBusy(true);
    form?.clear();
    say(ceremony === 'signIn' ? texts.signingIn : texts.creating);
    try {
      await cancellable(part('status'), texts.cancel, () => againWhenExpired(run));
      rememberSignIn();
      say(texts.done);
      goOn();
    } catch (error) {
      log(error);
      // The next press asks for passkeys that are not on this device.
      immediate = Promise.resolve(false);
      setBusy(false);
      say('');
      const message = errorMessage(error, ceremony, words) ?? '';
      if (form?.explain(error, message)) return;
      say(message);
      (ceremony === 'signIn' ? button : part('create')).focus();
    }
  };

  /** With the chosen passkey once: where its challenge has expired, a new ceremony asks for one. */
  const signInWith = (response: AuthenticationResponseJSON) => {
    const ceremonies = [() => finishSignIn(response)];
    void perform('signIn', () => (ceremonies.pop() ?? signInOnce)());
  };
  const autofill = new Autofill(() => document.activeElement === name, signInWith);

  name?.addEventListener('focus', () => {
    // The offer would cancel a ceremony in progress.
    if (!button.disabled) autofill.arm();
  });
  button.addEventListener('click', () => {
    void perform('signIn', async () => ((await immediate) ? signInImmediately() : signInOnce()));
  });
  document.getElementById('create-account')?.addEventListener('submit', (event) => {
    event.preventDefault();
    void perform('signUp', () => signUpOnce(form?.values() ?? {}));
  });
  if (wasSignedInBefore()) part('known').textContent = texts.seenHere;
  setBusy(false);
  if (takeSignOut()) say(texts.signedOut);
}
