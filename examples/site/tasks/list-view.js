import { create, element } from '../elements.js';
import { t } from '../language.js';
import { dayOf } from './task-list.js';

const day = new Intl.DateTimeFormat(document.documentElement.lang, {
  dateStyle: 'medium',
  timeZone: 'UTC',
});

/**
 * Shows the tasks as they are looked at now. `actions` has what a click does: `toggle`, `edit` and `remove`,
 * each with the task. `by` marks the task that an app has just changed.
 */
export function showTasks(list, actions, { id, by } = {}) {
  const { search, show, sort } = list.view;
  if (element('search').value !== search) element('search').value = search;
  element('show').value = show;
  element('sort').value = sort;
  const tasks = list.visible;
  element('count').textContent =
    tasks.length === 0
      ? t('No matching tasks.')
      : t('{shown} of {all} tasks', { shown: tasks.length, all: list.count });
  const focus = heldFocus();
  const rows = tasks.map((task) => row(task, actions, task.id === id ? by : undefined));
  element('tasks').replaceChildren(...rows);
  if (focus) giveBack(focus);
}

function row(task, actions, by) {
  const { id, title, due, priority, done } = task;
  const box = create('input', { type: 'checkbox', id: `done-${id}`, 'data-action': 'toggle' });
  box.checked = done;
  box.addEventListener('change', () => actions.toggle(task));
  const label = create('label', { for: `done-${id}` }, create('bdi', { text: title }));
  const about = create('p', { className: 'quiet' }, ...facts({ due, priority, done, by }));
  const button = (action, text) => {
    const made = create('button', { type: 'button', text, 'data-action': action });
    made.setAttribute('aria-label', `${text}: ${title}`);
    made.addEventListener('click', () => actions[action](task));
    return made;
  };
  const buttons = create('div', {}, button('edit', t('Edit')), button('remove', t('Remove')));
  const className = done ? 'task done' : 'task';
  const mark = by === undefined ? {} : { 'data-by': by };
  return create('li', { className, 'data-id': id, ...mark }, box, label, about, buttons);
}

function facts({ due, priority, done, by }) {
  const parts = [due === '' ? t('No date') : create('time', { datetime: due, text: inWords(due) })];
  if (due !== '' && due < dayOf(new Date()) && !done) {
    parts.push(create('span', { className: 'high', text: t('overdue') }));
  }
  if (priority !== 'normal') {
    parts.push(create('span', { className: priority, text: t(`${priority} priority`) }));
  }
  if (by !== undefined)
    parts.push(create('span', { text: t('changed by ') }, create('bdi', { text: by })));
  return parts.flatMap((part, index) => (index === 0 ? [part] : [' · ', part]));
}

const inWords = (due) => day.format(new Date(`${due}T00:00Z`));

function heldFocus() {
  const { id } = document.activeElement?.closest('.task')?.dataset ?? {};
  return id === undefined ? undefined : { id, action: document.activeElement.dataset.action };
}

/** To the same button of the same task, or to the heading when that is gone. */
function giveBack({ id, action }) {
  const again = document.querySelector(`[data-id="${id}"] [data-action="${action}"]`);
  (again ?? element('list-heading')).focus();
}
