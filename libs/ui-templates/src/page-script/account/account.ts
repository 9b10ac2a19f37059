import type { AccountScriptTexts } from '../../account/account-texts.js';
import { nameFault, Refusal } from '../auth-api.js';
import { againWhenExpired, finishSignIn, requestOptions, userHandle } from '../ceremonies.js';
import { fillText, goOn, log, part } from '../elements.js';
import { type Ceremony, errorMessage, toldReason } from '../error-messages.js';
import { askForPasskey, cancelDialog } from '../passkey-dialog.js';
import { fetchAnswer } from './answers.js';
import { Dialog, type Question } from './dialog.js';

/** The person picked a passkey of another account; it was not sent. */
class OtherAccountError extends Error {
  override readonly name = 'OtherAccountError';
}

/**
 * Signs in once more, with a passkey of this account: any other passkey would replace the session by one of another
 * account. Throws OtherAccountError and what a sign-in throws.
 */
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
  override readonly name = 'NotOwnError';

  constructor(readonly isSignedIn: boolean) {
    super();
  }
}

/** The person cancelled the fresh sign-in that the action needs. */
class NotSignedInAgainError extends Error {
  override readonly name = 'NotSignedInAgainError';
}

type Asked = Omit<Question, 'explain' | 'waiting'> & Partial<Pick<Question, 'explain' | 'waiting'>>;

/** Ids of a button and of the elements for its errors and its progress. */
export interface ButtonPlace {
  readonly button: string;
  readonly fault: string;
  readonly waiting: string;
}

interface Change extends Asked {
  /** Announced afterwards. */
  readonly done: string;
  /** The section whose row is gone then: its heading gets the focus. */
  readonly section?: string;
}

interface ButtonAction<Done> extends ButtonPlace {
  /** Announced while the action runs. */
  readonly said: string;
  act(): Promise<Done>;
  explain(error: unknown): string;
  after(done: Done | undefined): Promise<void>;
}

/** Shared by the sections of the page: the account's id, its dialogs and its messages. */
export class Account {
  readonly userId = part('profile').dataset['user'] ?? '';
  private readonly question = new Dialog('question');
  private readonly again = new Dialog('sign-in-again');
  private readonly over = new Dialog('session-over');
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

  /**
   * Asks for confirmation, then runs the action, with a fresh sign-in where it needs one. Resolves to whether it was
   * done.
   */
  ask({ run, ...question }: Asked): Promise<boolean> {
    return this.question.ask({
      waiting: this.texts.page.working,
      explain: (error) => this.explain(error),
      ...question,
      run: (value) => this.fresh(() => run(value)),
    });
  }

  /** As `ask`; when it was done, announces that and reloads all sections. */
  async change({ done, section, ...asked }: Change) {
    if (await this.ask(asked)) await this.finish(done, section);
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
    const { title, text, act, waiting, cancelled, otherAccount } = this.texts.signInAgain;
    const words = { ...this.texts.ceremonies, cancelledSignIn: cancelled };
    return this.again.ask({
      title,
      text,
      act,
      waiting,
      run: () => againWhenExpired(() => signInWithOwnPasskey(this.userId)),
      stop: cancelDialog,
      explain: (error) =>
        error instanceof OtherAccountError ? otherAccount : this.explain(error, 'signIn', words),
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
      this.offerToLoad(isOther);
      return isOther ? page.otherAccount : page.signedOut;
    }
    return errorMessage(error, ceremony, words) ?? '';
  }

  private offerToLoad(isOther: boolean) {
    if (this.over.isOpen) return;
    const { page, sessionOver: words } = this.texts;
    void this.over.ask({
      title: isOther ? words.otherTitle : words.title,
      text: isOther ? page.otherAccount : page.signedOut,
      act: isOther ? words.otherAct : words.act,
      waiting: '',
      run: async () => goOn(),
      explain: () => undefined,
    });
  }

  /** Like `explain`; the fault of a name completes the given sentence. */
  explainName(error: unknown, sentence: string): string {
    const fault = nameFault(error);
    if (fault === undefined) return this.explain(error);
    return fillText(sentence, { fault: toldReason(fault, this.texts.ceremonies) });
  }

  /** Returns the action of a button, which runs once at a time. Where it failed, `after` gets undefined. */
  buttonAction<Done>({ button, fault, waiting, said, act, explain, after }: ButtonAction<Done>) {
    let isBusy = false;
    const setBusy = (busy: boolean) => {
      isBusy = busy;
      part(button).setAttribute('aria-disabled', String(busy));
      part(waiting).textContent = busy ? said : '';
    };
    return async () => {
      if (isBusy) return;
      part(fault).textContent = '';
      setBusy(true);
      const done = await act().catch((error: unknown) => {
        log(error);
        part(fault).textContent = explain(error);
        return undefined;
      });
      setBusy(false);
      await after(done);
    };
  }

  /** Announces a success and reloads all sections. `section` is one whose row is gone: its heading gets the focus. */
  async finish(said: string, section?: string) {
    if (section !== undefined) part(`${section}-heading`).focus();
    this.say(said);
    await this.refresh();
  }

  /** Announces a success in the status line, which is visible wherever the page is scrolled to. */
  say(text: string) {
    const status = part('status');
    status.textContent = text;
    clearTimeout(this.silence);
    this.silence = setTimeout(() => (status.textContent = ''), 10_000);
  }
}

/** Treats 404 as success: another tab has already removed the item. */
export async function unlessGone(done: Promise<unknown>) {
  try {
    await done;
  } catch (error) {
    if (!(error instanceof Refusal && error.status === 404)) throw error;
  }
}
