import { create, element } from '../elements.js';

const MOST_KEPT = 50;
const clock = new Intl.DateTimeFormat(document.documentElement.lang, { timeStyle: 'short' });

const WORDS = {
  list_tasks: ['read', 'read', 'the tasks'],
  show_tasks: ['changed', 'change', 'what is shown'],
  add_task: ['added', 'add', 'a task'],
  update_task: ['changed', 'change', 'a task'],
  remove_task: ['removed', 'remove', 'a task'],
  plan_tasks: ['planned', 'plan', 'the open tasks'],
};

/** Adds a call of an app to the log, the newest first. */
export function showCall({ app, tool, outcome, error }) {
  const [did, todo, what] = Object.hasOwn(WORDS, tool) ? WORDS[tool] : ['used', 'use', tool];
  const words = {
    done: `${did} ${what}.`,
    cancelled: `tried to ${todo} ${what}, until it was cancelled.`,
    refused: `tried to ${todo} ${what}: ${error}`,
  };
  const time = create('time', { text: ` ${clock.format()}` });
  const name = create('strong', {}, create('bdi', { text: app }));
  element('log').prepend(create('li', {}, name, ` ${words[outcome]}`, time));
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
