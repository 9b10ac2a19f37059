import { integer, orNull, record, string, time } from '../answers.js';
import { either, oneOf, wholeNumber } from '../fields.js';
import { operation } from '../operation.js';
import { MOST_CREDITS } from '../../bounds.js';

const budget = record({
  user: string,
  used: integer,
  limit: integer,
  resetsAt: time,
  ownLimit: orNull(integer),
});

export const budgetOperations = [
  operation({
    method: 'GET',
    path: '/admin/budgets/{user}',
    id: 'showBudget',
    summary: 'What an account used and may use today',
    answer: budget,
    run: (to, { user }) => to.budgets.show(user),
  }),
  operation({
    method: 'PUT',
    path: '/admin/budgets/{user}',
    id: 'setBudget',
    summary: 'Gives an account a daily limit of its own, or everybody’s again',
    body: { credits: either(wholeNumber(0, MOST_CREDITS), oneOf(['default'])) },
    answer: budget,
    run: (to, { user, credits }) =>
      to.budgets.set(user, credits === 'default' ? undefined : credits, to.actor),
  }),
  operation({
    method: 'POST',
    path: '/admin/budgets/{user}/reset',
    id: 'resetBudget',
    summary: 'Forgets what an account used today',
    answer: budget,
    run: (to, { user }) => to.budgets.reset(user, to.actor),
  }),
];
