import { part } from '../elements.js';

/** Shows a text with host names, which may wrap after their dots. */
export function showHosts(element: Element, text: string) {
  const [first = '', ...labels] = text.split(/(?<=\.)(?=\S)/);
  element.replaceChildren(first, ...labels.flatMap((label) => [wordBreak(), label]));
}

const wordBreak = () => document.createElement('wbr');

/** A row of a list, cloned from its template. All its content is set as text. */
export class ListRow {
  constructor(readonly element: HTMLElement) {}

  slot<Kind extends HTMLElement = HTMLElement>(name: string): Kind {
    const found = this.element.querySelector<Kind>(`[data-slot="${name}"]`);
    if (!found) throw new Error(`no slot ${name}`);
    return found;
  }

  text(name: string, text = '') {
    this.slot(name).textContent = text;
  }

  hosts(name: string, text: string) {
    showHosts(this.slot(name), text);
  }

  /** As {@link button}, to another page. */
  link(name: string, label: string, address: string) {
    const link = this.slot<HTMLAnchorElement>(name);
    link.setAttribute('aria-label', label);
    link.href = address;
  }

  /** Gives a button a label of its own, which names its subject, and an action. */
  button(name: string, label: string, act: () => unknown) {
    const button = this.slot(name);
    button.setAttribute('aria-label', label);
    button.addEventListener('click', () => void act());
  }
}

/** Fills `<name>-list` with clones of `<name>-row`, one for each item. A row that stays keeps the focus. */
export function showRows<Item>(
  name: string,
  items: readonly Item[],
  keyOf: (item: Item) => string,
  fill: (row: ListRow, item: Item) => void,
) {
  const list = part(`${name}-list`);
  const held = heldFocus(list);
  const made = items.map((item) => {
    const row = new ListRow(stamp(`${name}-row`));
    row.element.dataset['key'] = keyOf(item);
    fill(row, item);
    return row;
  });
  list.replaceChildren(...made.map(({ element }) => element));
  const again = made.find(({ element }) => element.dataset['key'] === held?.key);
  if (held && again) again.slot(held.slot).focus();
}

function stamp(template: string) {
  const { content } = part<HTMLTemplateElement>(template);
  const { firstElementChild } = document.importNode(content, true);
  if (!(firstElementChild instanceof HTMLElement)) throw new Error(`nothing in #${template}`);
  return firstElementChild;
}

function heldFocus(list: HTMLElement) {
  const focused = document.activeElement;
  if (!(focused instanceof HTMLElement) || !list.contains(focused)) return undefined;
  const key = focused.closest<HTMLElement>('[data-key]')?.dataset['key'];
  const slot = focused.dataset['slot'];
  return key === undefined || slot === undefined ? undefined : { key, slot };
}
