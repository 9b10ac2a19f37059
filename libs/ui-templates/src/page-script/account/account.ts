import type { AccountScriptTexts } from '../../account/account-texts.js';
import { nameFault, Refusal, send } from '../auth-api.js';
import { againWhenExpired, finishSignIn, requestOptions, userHandle } from '../ceremonies.js';
import { fillText, goOn, log, part } from '../elements.js';
import { type Ceremony, errorMessage, toldReason } from '../error-messages.js';
import { askForPasskey, cancelDialog } from '../passkey-dialog.js';
import { fetchAnswer } from './answers.js';
import { dialogOf, type Question } from './dialog.js';

/** The person picked a passkey of another account; it was not sent. */
class OtherAccountError extends Error {}

/** With a passkey of this account alone: another would replace the session. Throws what a sign-in throws, too. */
async function signInWithOwnPasskey(userId: string) {
  const [options, { passkeys }] = await Promise.all([
    requestOptions(),
    fetchAnswer('/svc/me/passkeys'),
  ]);
  const allowCredentials = passkeys.map(({ id }) => ({ id, type: 'public-key' as const }));
  const response = await askForPasskey({ ...options, allowCredentials });
  const handle = response.response.userHandle;
  if (handle !== undefined && handle !== userHandle(userId)) throw new OtherAccountError();
  await finishSignIn(response);
}

/** The browser's session belongs to another account by now, or to none, so the action was not performed. */
export class NotOwnError extends Error {
  constructor(readonly isSignedIn: boolean) {
    super();
  }
}

/** The person cancelled the fresh sign-in that the action needs. */
class NotSignedInAgainError extends Error {}

export interface Change extends Question {
  /** Announced afterwards. */
  readonly done: string;
  /** The section whose row is gone then: its heading gets the focus. */
  readonly section?: string;
}

interface ButtonAction<Done> {
  /** The id of the button. */
  readonly button: string;
  /** The elements `<place>-fault` and `<place>-waiting` are for its errors and its progress. */
  readonly place: string;
  /** Announced while the action runs. */
  readonly said: string;
  act(): Promise<Done>;
  explain(error: unknown): string;
  after(done: Done | undefined): Promise<void>;
}

/** Shared by the sections of the page: the account's id, its dialogs and its messages. */
export class Account {
  readonly userId = part('profile').dataset['user'] ?? '';
  private readonly question = dialogOf('question');
  private readonly again = dialogOf('sign-in-again');
  private readonly over = dialogOf('session-over');
  private silence: ReturnType<typeof setTimeout> | undefined;

  isOver = false;

  /** Whether recovery codes are shown that were not yet copied, downloaded or printed. */
  hasUnsavedCodes = false;

  constructor(
    readonly texts: AccountScriptTexts,
    readonly refresh: () => Promise<void>,
  ) {}

  get isAsking() {
    return document.querySelector('dialog[open]') !== null;
  }

  /** Asks, then acts, with a fresh sign-in where the service demands one. Resolves to whether it was done. */
  ask({ run, ...question }: Question): Promise<boolean> {
    return this.question.ask({
      waiting: this.texts.page.working,
      explain: (error) => this.explain(error),
      ...question,
      run: (value) => this.fresh(() => run(value)),
    });
  }

  /** As `ask`; when it was done, announces that and reloads all sections. */
  async change({ done, section, ...asked }: Change): Promise<boolean> {
    if (!(await this.ask(asked))) return false;
    if (section !== undefined) part(`${section}-heading`).focus();
    this.say(done);
    await this.refresh();
    return true;
  }

  /** Runs the action; where the service demands a fresh sign-in, leads through one and runs it again. */
  async fresh<Done>(act: () => Promise<Done>): Promise<Done> {
    await this.expectOwn();
    try {
      return await act();
    } catch (error) {
      if (!(error instanceof Refusal) || error.answer.word !== 'sign_in_again') throw error;
    }
    if (!(await this.signInAgain())) throw new NotSignedInAgainError();
    await this.expectOwn();
    return act();
  }

  /** Throws NotOwnError unless this account is still signed in: all tabs share the cookie. */
  async expectOwn() {
    const { user } = await fetchAnswer('/svc/auth/me');
    if (user?.id !== this.userId) throw new NotOwnError(user !== null);
  }

  private signInAgain() {
    const texts = this.texts.signInAgain;
    const words = { ...this.texts.ceremonies, cancelledSignIn: texts.cancelled };
    return this.again.ask({
      ...texts,
      run: () => againWhenExpired(() => signInWithOwnPasskey(this.userId)),
      stop: cancelDialog,
      explain: (error) =>
        error instanceof OtherAccountError
          ? texts.otherAccount
          : this.explain(error, 'signIn', words),
    });
  }

  /**
   * What happened and what to do; `words` are the texts of the ceremony that failed. Where this account is no longer
   * signed in, it also offers to reload the page.
   */
  explain(error: unknown, ceremony: Ceremony = 'signIn', words = this.texts.ceremonies): string {
    const { page } = this.texts;
    if (error instanceof NotSignedInAgainError) return page.notSignedInAgain;
    const isSignedOut = error instanceof Refusal && error.status === 401;
    if (isSignedOut || error instanceof NotOwnError) {
      const isOther = error instanceof NotOwnError && error.isSignedIn;
      const text = isOther ? page.otherAccount : page.signedOut;
      this.offerToLoad(isOther, text);
      return text;
    }
    return errorMessage(error, ceremony, words) ?? '';
  }

  private offerToLoad(isOther: boolean, text: string) {
    if (this.over.isOpen) return;
    const { title, act, otherTitle, otherAct } = this.texts.sessionOver;
    void this.over.ask({
      title: isOther ? otherTitle : title,
      text,
      act: isOther ? otherAct : act,
      run: async () => goOn(),
    });
  }

  /** Like `explain`; the fault of a name completes the given sentence. */
  explainName(error: unknown, sentence: string): string {
    const fault = nameFault(error);
    if (fault === undefined) return this.explain(error);
    return fillText(sentence, { fault: toldReason(fault, this.texts.ceremonies) });
  }

  /** Returns the action of a button, which runs once at a time. Where it failed, `after` gets undefined. */
  buttonAction<Done>({ button, place, said, act, explain, after }: ButtonAction<Done>) {
    const fault = part(`${place}-fault`);
    let isBusy = false;
    const setBusy = (busy: boolean) => {
      isBusy = busy;
      part(button).setAttribute('aria-disabled', String(busy));
      part(`${place}-waiting`).textContent = busy ? said : '';
    };
    return async () => {
      if (isBusy) return;
      fault.textContent = '';
      setBusy(true);
      const done = await act().catch((error: unknown) => {
        log(error);
        fault.textContent = explain(error);
        return undefined;
      });
      setBusy(false);
      await after(done);
    };
  }

  /** Announces a success in the status line, which is visible wherever the page is scrolled to. */
  say(text: string) {
    const status = part('status');
    status.textContent = text;
    clearTimeout(this.silence);
    this.silence = setTimeout(() => (status.textContent = ''), 10_000);
  }
}

/** Deletes what is at the path. 404 is a success: another tab has already done it. */
export async function remove(path: string) {
  await send('DELETE', path).catch((error: unknown) => {
    if (!(error instanceof Refusal && error.status === 404)) throw error;
  });
}
