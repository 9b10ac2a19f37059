import { element } from '#libs/ui-templates/page-script';
import type { AccountScriptTexts } from '../../account-texts.js';
import type { Section } from '../section.js';
import { timeWords } from '../time-words.js';

interface Balance {
  readonly used: number;
  readonly limit: number;
  /** ISO 8601, UTC. */
  readonly resetsAt: string;
}

export const budgetSection = ({ budget: texts }: AccountScriptTexts): Section => ({
  id: 'budget',
  async load(get) {
    const { budget } = await get<{ readonly budget: Balance | null }>('/svc/auth/me');
    return () => (budget === null ? showUnknown(texts.unknown) : show(budget, texts));
  },
});

function show({ used, limit, resetsAt }: Balance, texts: AccountScriptTexts['budget']) {
  const left = Math.max(0, limit - used);
  const number = new Intl.NumberFormat(document.documentElement.lang);
  element('budget-left').textContent = texts.left
    .replace('{left}', number.format(left))
    .replace('{limit}', number.format(limit));
  element('budget-renews').textContent = texts.renews.replace('{when}', timeWords(resetsAt));
  const share = limit > 0 ? left / limit : 0;
  const gauge = element<HTMLElement>('budget-gauge');
  gauge.removeAttribute('hidden');
  gauge.querySelector('.part')?.setAttribute('width', `${share * 100}%`);
}

function showUnknown(text: string) {
  element('budget-left').textContent = text;
  element('budget-renews').textContent = '';
  element('budget-gauge').setAttribute('hidden', '');
}
