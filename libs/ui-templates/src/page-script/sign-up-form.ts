import { fieldAtFault, type SignUpField } from './auth-api.js';
import { document, location, type PageControl } from './dom.js';
import { control, say } from './elements.js';

/** A link to the page may carry the code in its fragment, which reaches no server and no log. */
const INVITE_IN_FRAGMENT = /^#invite=([\w-]{1,64})$/;

/** The form for a new account. */
export class SignUpForm {
  private readonly fields = new Map<SignUpField, PageControl>();

  private constructor() {
    this.fields.set('displayName', control('name'));
    if (document.getElementById('invite') === null) return;
    const invite = control('invite');
    this.fields.set('invite', invite);
    const [, code] = INVITE_IN_FRAGMENT.exec(location.hash) ?? [];
    if (code !== undefined) invite.value = code;
  }

  /** Undefined where the page offers no sign-up. */
  static find(): SignUpForm | undefined {
    return document.getElementById('create-account') === null ? undefined : new SignUpForm();
  }

  /** The body of `register/options`. */
  values(): object {
    return Object.fromEntries(Array.from(this.fields, ([name, { value }]) => [name, value]));
  }

  /** Clears the messages of the fields. */
  clear() {
    for (const [name, field] of this.fields) {
      field.removeAttribute('aria-invalid');
      say('', FAULTS[name]);
    }
  }

  /** Shows the service's refusal beneath the field that it is about. Returns false where it is about none. */
  explain(error: unknown, message: string): boolean {
    const name = fieldAtFault(error);
    const field = name && this.fields.get(name);
    if (name === undefined || field === undefined) return false;
    field.setAttribute('aria-invalid', 'true');
    field.focus();
    say(message, FAULTS[name]);
    return true;
  }
}

const FAULTS = { displayName: 'name-fault', invite: 'invite-fault' } as const;
