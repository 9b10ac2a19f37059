import { log, part } from '../elements.js';

export interface Question {
  readonly title: string;
  readonly text: string;
  /** Label of the button that performs the action. */
  readonly act: string;
  /** Label of the button that cancels; "Cancel" by default. */
  readonly cancel?: string;
  readonly grave?: boolean;
  readonly field?: { readonly label: string; readonly value: string; readonly hint?: string };
  /** Announced while the action runs. */
  readonly waiting: string;
  /** Performs the action with the value of the field. On failure the dialog stays open and shows why. */
  run(value: string): Promise<unknown>;
  /** Ends the action where it can be ended; otherwise the dialog cannot be cancelled meanwhile. */
  stop?(): void;
  /** The message for an error; undefined for an error that needs none. */
  explain(error: unknown): string | undefined;
}

/** The dialog with the given id, as account-page.ts renders it. */
export class Dialog {
  private readonly dialog: HTMLDialogElement;
  private question: Question | undefined;
  private isBusy = false;
  private isDone = false;
  private settle: ((isDone: boolean) => void) | undefined;
  private readonly cancelWord: string;

  constructor(private readonly id: string) {
    this.dialog = part<HTMLDialogElement>(id);
    this.cancelWord = this.part('cancel').textContent ?? '';
    this.dialog.querySelector('form')?.addEventListener('submit', (event) => {
      event.preventDefault();
      void this.act();
    });
    this.part('cancel').addEventListener('click', () => this.cancel());
    this.dialog.addEventListener('cancel', (event) => {
      event.preventDefault();
      this.cancel();
    });
    this.dialog.addEventListener('close', () => this.closed());
  }

  get isOpen() {
    return this.dialog.open;
  }

  /** Resolves to whether the action was performed; false when it was cancelled. The focus returns to where it was. */
  ask(question: Question): Promise<boolean> {
    const { title, text, act, cancel = this.cancelWord, grave = false, field } = question;
    this.question = question;
    this.isDone = false;
    this.say('title', title);
    this.say('text', text);
    this.say('act', act);
    this.say('cancel', cancel);
    this.part('act').classList.toggle('danger', grave);
    this.part('field').hidden = field === undefined;
    this.say('label', field?.label ?? '');
    this.say('hint', field?.hint ?? '');
    this.input.value = field?.value ?? '';
    this.fault('');
    this.dialog.showModal();
    if (field) this.input.select();
    return new Promise((resolve) => (this.settle = resolve));
  }

  private async act() {
    const { question, input } = this;
    if (this.isBusy || !question) return;
    this.fault('');
    this.setBusy(true, question.waiting);
    try {
      await question.run(input.value);
      this.isDone = true;
      this.setBusy(false);
      this.dialog.close();
    } catch (error) {
      log(error);
      this.setBusy(false);
      this.fault(question.explain(error) ?? '');
    }
  }

  private cancel() {
    if (this.isBusy) this.question?.stop?.();
    else this.dialog.close();
  }

  /**
   * Browsers close a dialog at the second press of Escape even when the page prevents it: reopens it during an
   * action.
   */
  private closed() {
    if (this.isBusy) this.dialog.showModal();
    else this.settle?.(this.isDone);
  }

  private setBusy(isBusy: boolean, waiting = '') {
    this.isBusy = isBusy;
    this.say('waiting', waiting);
    this.part('act').setAttribute('aria-disabled', String(isBusy));
    const isStuck = isBusy && this.question?.stop === undefined;
    this.part('cancel').setAttribute('aria-disabled', String(isStuck));
  }

  private fault(message: string) {
    this.say('fault', message);
    const isOfField = message !== '' && this.question?.field !== undefined;
    this.input.setAttribute('aria-invalid', String(isOfField));
    if (isOfField) this.input.focus();
  }

  private say(name: string, text: string) {
    this.part(name).textContent = text;
  }

  private get input() {
    return part<HTMLInputElement>(`${this.id}-input`);
  }

  private part(name: string) {
    return part(`${this.id}-${name}`);
  }
}
