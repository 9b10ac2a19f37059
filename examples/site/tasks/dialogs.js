import { element } from '../elements.js';

/** Lets the user fill in a task; resolves to `{ title, due, priority }`, or undefined when it was cancelled. */
export function edit(heading, { title = '', due = '', priority = 'normal' } = {}) {
  const dialog = element('editor');
  element('editor-heading').textContent = heading;
  Object.entries({ title, due, priority }).forEach(([id, value]) => (element(id).value = value));
  return answer(dialog, (settle, options) => {
    const submit = (event) => {
      event.preventDefault();
      const [text, day, level] = ['title', 'due', 'priority'].map((id) => element(id).value);
      settle({ title: text, due: day, priority: level });
    };
    dialog.querySelector('form').addEventListener('submit', submit, options);
    element('editor-cancel').addEventListener('click', () => settle(), options);
  });
}

/** Asks the user and returns whether the answer was yes. The signal withdraws the question: its caller is gone. */
export function confirmRemoval(text, signal) {
  element('question-text').textContent = text;
  return answer(element('question'), (settle, options) => {
    element('question-yes').addEventListener('click', () => settle(true), options);
    element('question-no').addEventListener('click', () => settle(false), options);
    signal?.addEventListener('abort', () => settle(false), options);
  });
}

async function answer(dialog, listen) {
  if (dialog.open) throw new Error('The user is busy with another dialog. Try again in a moment.');
  const over = new AbortController();
  const options = { signal: over.signal };
  const answered = new Promise((resolve) => {
    listen(resolve, options);
    dialog.addEventListener('close', () => resolve(), options);
  });
  dialog.showModal();
  const given = await answered;
  over.abort();
  dialog.close();
  return given;
}
