import { t } from '../language.js';

const KEY = 'tasks';
const MOST_TASKS = 200;
const MAX_TITLE = 120;

export const SHOWN = ['all', 'open', 'done'];
export const ORDERS = ['due', 'priority', 'title'];
export const PRIORITIES = ['high', 'normal', 'low'];

/**
 * The tasks of this tab, and how they are looked at: a task is never changed, but replaced. What is refused is thrown with a sentence that people
 * and models understand. Listeners to `change` get `{ id, by }`: what changed, and the app that did it.
 */
export class TaskList extends EventTarget {
  #tasks = stored() ?? samples();
  #view = { show: 'all', search: '', sort: 'due' };
  #last = Math.max(0, ...this.#tasks.map(({ id }) => Number(id.slice(1))));

  get view() {
    return { ...this.#view };
  }

  get count() {
    return this.#tasks.length;
  }

  /** What the user sees, in that order. */
  get visible() {
    const { show, search, sort } = this.#view;
    const wanted = search.toLocaleLowerCase();
    return this.#tasks
      .filter(({ done }) => show === 'all' || done === (show === 'done'))
      .filter(({ title }) => title.toLocaleLowerCase().includes(wanted))
      .toSorted(COMPARE[sort]);
  }

  look(view, by) {
    const { show, search, sort } = { ...this.#view, ...view };
    expectOneOf('show', show, SHOWN);
    expectOneOf('sort', sort, ORDERS);
    if (typeof search !== 'string') throw new Error('search has to be a text.');
    this.#view = { show, search, sort };
    this.#changed(undefined, by);
  }

  get(id) {
    const task = this.#tasks.find((candidate) => candidate.id === id);
    if (!task) throw new Error(`There is no such task. Call list_tasks for the ids.`);
    return task;
  }

  add({ title, due = '', priority = 'normal' }, by) {
    if (this.count >= MOST_TASKS) throw new Error('The list is full. Remove a task first.');
    const id = `t${(this.#last += 1)}`;
    const task = { id, ...checked({ title, due, priority }), done: false };
    this.#tasks.push(task);
    this.#changed(id, by);
    return task;
  }

  update(id, changes, by) {
    const next = { ...this.get(id), ...changes };
    const task = { id, ...checked(next), done: next.done === true };
    this.#tasks = this.#tasks.map((one) => (one.id === id ? task : one));
    this.#changed(id, by);
    return task;
  }

  remove(id, by) {
    const { title } = this.get(id);
    this.#tasks = this.#tasks.filter((task) => task.id !== id);
    this.#changed(id, by);
    return { removed: title };
  }

  #changed(id, by) {
    sessionStorage.setItem(KEY, JSON.stringify(this.#tasks));
    this.dispatchEvent(new CustomEvent('change', { detail: { id, by } }));
  }
}

const byDue = (a, b) => (a.due || '9999').localeCompare(b.due || '9999');
const byTitle = (a, b) => a.title.localeCompare(b.title);
const byPriority = (a, b) => PRIORITIES.indexOf(a.priority) - PRIORITIES.indexOf(b.priority);
const COMPARE = {
  due: (a, b) => byDue(a, b) || byPriority(a, b) || byTitle(a, b),
  priority: (a, b) => byPriority(a, b) || byDue(a, b) || byTitle(a, b),
  title: byTitle,
};

function checked({ title, due, priority }) {
  const text = typeof title === 'string' ? title.trim() : '';
  if (text === '' || text.length > MAX_TITLE) {
    throw new Error(`The title must be 1 to ${MAX_TITLE} characters long.`);
  }
  if (due !== '' && !isDay(due)) throw new Error('due has to be a day, such as 2026-11-23, or "".');
  expectOneOf('priority', priority, PRIORITIES);
  return { title: text, due, priority };
}

export const isDay = (text) =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) && dayOf(new Date(`${text}T00:00Z`)) === text;

/** `2026-11-23`, of UTC; empty for no date. */
export const dayOf = (date) =>
  Number.isNaN(date.getTime()) ? '' : date.toISOString().slice(0, 10);

function expectOneOf(name, value, allowed) {
  if (!allowed.includes(value)) throw new Error(`${name} must be ${allowed.join(', ')}.`);
}

function stored() {
  const text = sessionStorage.getItem(KEY);
  return text === null ? undefined : JSON.parse(text);
}

function samples() {
  const inDays = (days) => dayOf(new Date(Date.now() + days * 86_400_000));
  return [
    sample('t1', t('Order printer paper'), inDays(1)),
    sample('t2', t('Reply to the landlord’s letter'), inDays(-1), 'high'),
    sample('t3', t('Book a room for the spring meeting')),
    { ...sample('t4', t('Water the plants'), inDays(3), 'low'), done: true },
    sample('t5', t('Read the report on heating costs'), '', 'low'),
  ];
}

const sample = (id, title, due = '', priority = 'normal') => ({
  id,
  title,
  due,
  priority,
  done: false,
});
