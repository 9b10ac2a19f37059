import { create, element } from '../elements.js';

const MOST_KEPT = 50;
const clock = new Intl.DateTimeFormat(document.documentElement.lang, { timeStyle: 'short' });

const WORDS = {
  list_tasks: 'read the tasks',
  show_tasks: 'changed what is shown',
  add_task: 'added a task',
  update_task: 'changed a task',
  remove_task: 'removed a task',
  plan_tasks: 'planned the open tasks',
};

/** Adds a call of an app to the log, the newest first. */
export function showCall({ app, tool, outcome, error }) {
  const what = Object.hasOwn(WORDS, tool) ? WORDS[tool] : `asked for ${tool}`;
  const ending = { done: '.', cancelled: ', until it was cancelled.', refused: `: no. ${error}` };
  const time = create('time', { text: ` ${clock.format()}` });
  const name = create('strong', {}, create('bdi', { text: app }));
  element('log').prepend(create('li', {}, name, ` ${what}${ending[outcome]}`, time));
  while (element('log').childElementCount > MOST_KEPT) element('log').lastChild.remove();
  element('no-log').hidden = true;
}

/** Shows something that takes a while. Returns what says how far it is and, called with nothing, that it is over. */
export function showWork(text) {
  element('work-text').textContent = text;
  return (done, total) => {
    element('work').hidden = done === undefined;
    if (done === undefined) return;
    element('work-bar').max = total;
    element('work-bar').value = done;
  };
}
