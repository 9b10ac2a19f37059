import { create, element } from '../elements.js';
import { t } from '../language.js';

let known = [];

/** Lists the account's tabs, and offers the others in the form as receivers. */
export function showTabs(tabs, ownId) {
  known = tabs;
  element('tabs').replaceChildren(...tabs.map((tab) => row(tab, ownId)));
  const chosen = element('to').value;
  const others = tabs.filter(({ id }) => id !== ownId);
  const options = others.map((tab) => create('option', { value: tab.id, text: nameOf(tab) }));
  element('to').replaceChildren(
    create('option', { value: '*', text: t('All other tabs') }),
    ...options,
  );
  if (others.some(({ id }) => id === chosen)) element('to').value = chosen;
}

/** What to call the tab of this id, also just after it has gone. */
export function tabName(id) {
  const tab = known.find((candidate) => candidate.id === id);
  return tab === undefined ? t('A closed tab') : nameOf(tab);
}

const nameOf = ({ title, id }) => title || t('Tab {id}', { id: id.slice(0, 6) });

function row(tab, ownId) {
  const name = create('strong', { text: nameOf(tab) });
  const own = tab.id === ownId ? [create('span', { className: 'badge', text: t('this tab') })] : [];
  const about = create(
    'div',
    {},
    name,
    ...own,
    create('span', { className: 'quiet', text: tab.url }),
  );
  return create('li', { className: 'row' }, about);
}
