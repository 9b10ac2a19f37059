import type { AccountScriptTexts } from '../../account/account-texts.js';
import { fillText, part } from '../elements.js';
import type { AccountStatus } from '../client/client-api.js';
import type { Account } from './account.js';
import { pageSection } from './sections.js';
import { whenWords } from './words.js';

export const budgetSection = ({ texts }: Account) =>
  pageSection({
    id: 'budget',
    load: (get) => get('/svc/auth/me'),
    show: ({ budget }) => showBudget(budget, texts),
  });

function showBudget(balance: AccountStatus['budget'], { budget, page }: AccountScriptTexts) {
  const gauge = part<HTMLProgressElement>('budget-gauge');
  gauge.hidden = balance === null;
  if (balance === null) {
    part('budget-left').textContent = budget.unknown;
    part('budget-renews').textContent = '';
    return;
  }
  const { used, limit, resetsAt } = balance;
  const left = Math.max(0, limit - used);
  const { format } = new Intl.NumberFormat(document.documentElement.lang);
  const values = { left: format(left), limit: format(limit) };
  part('budget-left').textContent = fillText(budget.left, values);
  part('budget-renews').textContent = whenWords(budget.renews, resetsAt, page);
  gauge.max = Math.max(1, limit);
  gauge.value = left;
}
