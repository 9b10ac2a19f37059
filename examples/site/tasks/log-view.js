import { create, element } from '../elements.js';
import { t } from '../language.js';

const MOST_KEPT = 50;
const clock = new Intl.DateTimeFormat(document.documentElement.lang, { timeStyle: 'short' });

/** What an app did, and what it tried to do; `{app}` and, of other tools, `{tool}` are filled in. */
const WORDS = {
  list_tasks: ['{app} read the tasks.', '{app} tried to read the tasks'],
  show_tasks: ['{app} changed the view.', '{app} tried to change the view'],
  add_task: ['{app} added a task.', '{app} tried to add a task'],
  update_task: ['{app} changed a task.', '{app} tried to change a task'],
  remove_task: ['{app} removed a task.', '{app} tried to remove a task'],
  plan_tasks: ['{app} planned the open tasks.', '{app} tried to plan the open tasks'],
};
const OTHER = ['{app} used {tool}.', '{app} tried to use {tool}'];

/** Adds a call of an app to the log, the newest first. */
export function showCall({ app, tool, outcome, error }) {
  const [did, tried] = Object.hasOwn(WORDS, tool) ? WORDS[tool] : OTHER;
  const [before, after = ''] = t(outcome === 'done' ? did : tried, { tool }).split('{app}');
  const end = {
    done: '',
    cancelled: t(', but it was canceled.'),
    refused: `: ${error}`,
  }[outcome];
  const time = create('time', { text: ` ${clock.format()}` });
  const name = create('strong', {}, create('bdi', { text: app }));
  element('log').prepend(create('li', {}, before, name, `${after}${end}`, time));
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
