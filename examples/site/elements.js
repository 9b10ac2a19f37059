/** Throws when the page has no such element. */
export function element(id) {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`no #${id}`);
  return found;
}

/**
 * A new element. Its text goes in as `textContent`, never as markup: names and messages come from other
 * people's programs. The page's policy (`require-trusted-types-for`) would stop markup as well.
 */
export function create(tag, { text, className, ...attributes } = {}, ...children) {
  const made = document.createElement(tag);
  if (text !== undefined) made.textContent = text;
  if (className !== undefined) made.className = className;
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

const NEWS_STAYS_MS = 10_000;
let silence;

/**
 * Says it in the page's one status line, so that screen readers say it too. `news` goes by itself; an `error`, and what
 * is `waiting` for something, stay until something else is said.
 */
export function say(text, kind = 'news') {
  const status = element('status');
  status.textContent = text;
  status.dataset.kind = kind;
  clearTimeout(silence);
  if (kind === 'news') silence = setTimeout(() => (status.textContent = ''), NEWS_STAYS_MS);
}
