import type { AccountScriptTexts } from '../../account/account-texts.js';
import { fillText, part } from '../elements.js';
import type { Account } from './account.js';
import type { Answers } from './answers.js';
import type { PageSection } from './sections.js';
import { timeWords } from './words.js';

/** The credits left today, and when the budget is renewed. */
export const budgetSection = ({ texts }: Account): PageSection => ({
  id: 'budget',
  async load(get) {
    const { budget } = await get('/svc/auth/me');
    return () => (budget === null ? showUnknown(texts.budget.unknown) : show(budget, texts));
  },
});

type Balance = NonNullable<Answers['/svc/auth/me']['budget']>;

function show({ used, limit, resetsAt }: Balance, { budget, page }: AccountScriptTexts) {
  const left = Math.max(0, limit - used);
  const share = limit > 0 ? left / limit : 0;
  const { format } = new Intl.NumberFormat(document.documentElement.lang);
  part('budget-left').textContent = fillText(budget.left, {
    left: format(left),
    limit: format(limit),
  });
  part('budget-renews').textContent = fillText(budget.renews, { when: timeWords(resetsAt, page) });
  part<SVGElement>('budget-gauge').removeAttribute('hidden');
  part<SVGElement>('budget-gauge .part').setAttribute('width', `${share * 100}%`);
}

function showUnknown(text: string) {
  part('budget-left').textContent = text;
  part('budget-renews').textContent = '';
  part<SVGElement>('budget-gauge').setAttribute('hidden', '');
}
