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
  readonly waiting?: string;
  /** Performs the action with the value of the field. On failure the dialog stays open and shows why. */
  run(value: string): Promise<unknown>;
  /** Ends the action where it can be ended; otherwise the dialog cannot be cancelled meanwhile. */
  stop?(): void;
  /** The message for an error. */
  explain?(error: unknown): string;
}

/** Operates the dialog with the given id, as account-page.ts renders it. */
export function dialogOf(id: string) {
  const dialog = part<HTMLDialogElement>(id);
  const input = part<HTMLInputElement>(`${id}-input`);
  const piece = (name: string) => part(`${id}-${name}`);
  const say = (name: string, text = '') => {
    piece(name).textContent = text;
  };
  const cancelWord = piece('cancel').textContent ?? '';
  let question: Question | undefined;
  let isBusy = false;
  let isDone = false;
  let settle: (isDone: boolean) => void = () => undefined;

  const setBusy = (busy: boolean, waiting = '') => {
    isBusy = busy;
    say('waiting', waiting);
    piece('act').setAttribute('aria-disabled', String(busy));
    const isStuck = busy && question?.stop === undefined;
    piece('cancel').setAttribute('aria-disabled', String(isStuck));
  };
  const showFault = (message = '') => {
    say('fault', message);
    const isOfField = message !== '' && question?.field !== undefined;
    input.setAttribute('aria-invalid', String(isOfField));
    if (isOfField) input.focus();
  };
  const act = async () => {
    if (isBusy || !question) return;
    showFault();
    setBusy(true, question.waiting);
    try {
      await question.run(input.value);
      isDone = true;
      setBusy(false);
      dialog.close();
    } catch (error) {
      log(error);
      setBusy(false);
      showFault(question.explain?.(error));
    }
  };
  const cancel = () => {
    if (isBusy) question?.stop?.();
    else dialog.close();
  };

  dialog.querySelector('form')?.addEventListener('submit', (event) => {
    event.preventDefault();
    void act();
  });
  piece('cancel').addEventListener('click', cancel);
  dialog.addEventListener('cancel', (event) => {
    event.preventDefault();
    cancel();
  });
  dialog.addEventListener('close', () => {
    // Browsers close a dialog at the second press of Escape even when the page prevents it.
    if (isBusy) dialog.showModal();
    else settle(isDone);
  });
  return {
    get isOpen() {
      return dialog.open;
    },
    /** Resolves to whether the action was performed; false when it was cancelled. The focus returns to where it was. */
    ask(asked: Question): Promise<boolean> {
      const { field, grave = false } = asked;
      question = asked;
      isDone = false;
      say('title', asked.title);
      say('text', asked.text);
      say('act', asked.act);
      say('cancel', asked.cancel ?? cancelWord);
      piece('act').classList.toggle('danger', grave);
      piece('field').hidden = field === undefined;
      say('label', field?.label);
      say('hint', field?.hint);
      input.value = field?.value ?? '';
      showFault();
      dialog.showModal();
      if (field) input.select();
      return new Promise((resolve) => (settle = resolve));
    },
  };
}
