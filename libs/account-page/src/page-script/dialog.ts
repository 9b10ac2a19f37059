import { part } from './part.js';

export interface Question {
  readonly title: string;
  readonly text: string;
  /** On the button that does it. */
  readonly act: string;
  /** On the button that leaves it undone; "Cancel" by default. */
  readonly cancel?: string;
  /** Whether it cannot be undone. */
  readonly grave?: boolean;
  readonly field?: { readonly label: string; readonly value: string; readonly hint?: string };
  /** Said while it is done. */
  readonly waiting: string;
  /** Does it, with what stands in the field. While it fails the question stays, and says why. */
  run(value: string): Promise<unknown>;
  /** What to say about an error; undefined for what needs no words. */
  explain(error: unknown): string | undefined;
}

/** The dialog of an id, as page/dialog.ts makes it. */
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

  /** Whether it was done; false when it was cancelled. The focus goes back to where it was. */
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
      // oxlint-disable-next-line no-console
      console.warn(error);
      this.setBusy(false);
      this.fault(question.explain(error) ?? '');
    }
  }

  private cancel() {
    if (!this.isBusy) this.dialog.close();
  }

  /** Browsers close a dialog at the second press of Escape, whatever the page says. */
  private closed() {
    if (this.isBusy) this.dialog.showModal();
    else this.settle?.(this.isDone);
  }

  private setBusy(isBusy: boolean, waiting = '') {
    this.isBusy = isBusy;
    this.say('waiting', waiting);
    for (const name of ['act', 'cancel'])
      this.part(name).setAttribute('aria-disabled', String(isBusy));
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
