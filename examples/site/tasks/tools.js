import { registerTool } from '/svc/client.js';
import { t } from '../language.js';
import { confirmRemoval } from './dialogs.js';
import { showWork } from './log-view.js';
import { dayOf, isDay, ORDERS, PRIORITIES, SHOWN } from './task-list.js';

const BETWEEN_STEPS_MS = 300;

const title = { type: 'string', minLength: 1, maxLength: 120 };
const due = {
  type: 'string',
  pattern: '^(\\d{4}-\\d{2}-\\d{2})?$',
  description: 'A day, such as 2026-11-23; empty for none.',
};
const firstDay = {
  type: 'string',
  pattern: '^\\d{4}-\\d{2}-\\d{2}$',
  description: 'A day, such as 2026-11-23.',
};
const priority = { enum: PRIORITIES };
const id = { type: 'string', maxLength: 20, description: 'As list_tasks tells it.' };

const schema = (properties, required = []) => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});

/** What assistants may do: what the user can do by hand, with the same list and the same checks. */
const toolsOf = (list) => [
  {
    name: 'list_tasks',
    title: 'Read the tasks',
    description:
      'Lists the tasks that the user sees now, in that order, and how they are filtered.',
    annotations: { readOnlyHint: true },
    execute: () => seen(list),
  },
  {
    name: 'show_tasks',
    title: 'Filter and sort the tasks',
    description: 'Changes which tasks the user sees, and their order; lists them.',
    inputSchema: schema({
      show: { enum: SHOWN },
      search: { type: 'string', maxLength: 100, description: 'Part of a title; empty for all.' },
      sort: { enum: ORDERS },
    }),
    execute(view, { app }) {
      list.look(view, app);
      return seen(list);
    },
  },
  {
    name: 'add_task',
    title: 'Add a task',
    description: 'Adds one task to the list of the user.',
    inputSchema: schema({ title, due, priority }, ['title']),
    execute: (task, { app }) => ({ task: list.add(task, app) }),
  },
  {
    name: 'update_task',
    title: 'Change a task',
    description: 'Changes a task, or ticks it off with done: true. What is left out stays.',
    inputSchema: schema({ id, title, due, priority, done: { type: 'boolean' } }, ['id']),
    execute: ({ id: which, ...changes }, { app }) => ({ task: list.update(which, changes, app) }),
  },
  {
    name: 'remove_task',
    title: 'Remove a task',
    description:
      'Asks the user whether a task may be removed, and removes it. Takes as long as they do.',
    inputSchema: schema({ id }, ['id']),
    async execute({ id: which }, { app, signal }) {
      const { title: task } = list.get(which);
      const text = t('{app} wants to remove “{task}”.', { app, task });
      if (await confirmRemoval(text, signal)) return list.remove(which, app);
      throw new Error('The user wants to keep this task.');
    },
  },
  {
    name: 'plan_tasks',
    title: 'Plan the open tasks',
    description: 'Gives every open task a day, one after the other, before the eyes of the user.',
    inputSchema: schema({ from: firstDay, per_day: { type: 'integer', minimum: 1, maximum: 20 } }, [
      'from',
    ]),
    execute: (plan, call) => planTasks(list, plan, call),
  },
];

const seen = (list) => ({ view: list.view, tasks: list.visible });

async function planTasks(list, { from, per_day: perDay = 2 }, { app, signal, progress }) {
  if (!isDay(from)) throw new Error('from has to be a day, such as 2026-11-23.');
  const open = list.visible.filter(({ done }) => !done);
  const done = showWork(t('{app} is planning {count} tasks', { app, count: open.length }));
  try {
    for (const [index, task] of open.entries()) {
      const day = new Date(Date.parse(from) + Math.floor(index / perDay) * 86_400_000);
      list.update(task.id, { due: dayOf(day) }, app);
      done(index + 1, open.length);
      progress(index + 1, open.length, task.title);
      await pause(signal);
    }
  } finally {
    done();
  }
  return { planned: open.length };
}

/** Rejects when the caller is gone: what was planned until then stays, for the user to see. */
function pause(signal) {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    setTimeout(resolve, BETWEEN_STEPS_MS);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

/** Gives each caller a name that the user knows. */
const named = ({ execute, ...tool }) => ({
  ...tool,
  execute: (input, call) => execute(input, { ...call, app: call.app ?? t('Your browser') }),
});

export const registerTools = (list) =>
  Promise.all(toolsOf(list).map((tool) => registerTool(named(tool))));
