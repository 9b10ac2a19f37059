import type { Counted } from '../locale/catalogue.js';

/** The element with this id. Throws when the page has none. */
export function part<Kind extends Element = HTMLElement>(id: string): Kind {
  const found = document.querySelector<Kind>(`#${id}`);
  if (!found) throw new Error(`no #${id}`);
  return found;
}

export function element<Tag extends keyof HTMLElementTagNameMap>(tag: Tag, text = '') {
  return Object.assign(document.createElement(tag), { textContent: text });
}

/** Gives a button its action, and enables one that waited for the script. */
export function onClick(id: string, act: () => unknown) {
  const button = part<HTMLButtonElement>(id);
  button.addEventListener('click', () => void act());
  button.disabled = false;
}

/** Shows the text in a live region, so that screen readers announce it. */
export function say(text: string, region = 'status') {
  const status = part(region);
  status.textContent = text;
  if (text !== '') status.scrollIntoView({ block: 'nearest' });
}

export function setBusy(busy: boolean) {
  for (const button of document.querySelectorAll('button')) button.disabled = busy;
  part('status').toggleAttribute('data-busy', busy);
}

export function saveFile(name: string, text: string, type: string) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

/** Reloads the page. Not with reload(): after it Firefox still treats the visit as cross-site. */
export function goOn() {
  location.replace(location.pathname + location.search);
}

/** Prevents a second click: an answer by this form counts only once. */
export function answerOnce(form: HTMLElement, answering: () => void) {
  let answered = false;
  form.addEventListener('submit', (event) => {
    if (answered) return event.preventDefault();
    answered = true;
    answering();
    // Deferred until the form data is collected, because a disabled button would not be part of it.
    setTimeout(() => setBusy(true));
  });
  // The browser restored a cached page whose form was already answered.
  globalThis.addEventListener('pageshow', ({ persisted }) => {
    if (persisted && answered) goOn();
  });
}

/** For developers: the person reads a message of the page. */
export function log(error: unknown) {
  // oxlint-disable-next-line no-console
  console.warn(error);
}

type Values = Readonly<Record<string, string | number>>;

export const fillText = (text: string, values: Values) =>
  text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));

/** The plural form of a text for a number, which replaces `{n}`. */
export function fillNumber(text: Counted, n: number, values: Values = {}) {
  const { lang } = document.documentElement;
  const form = text[new Intl.PluralRules(lang).select(n)] ?? text.other;
  return fillText(form, { ...values, n: n.toLocaleString(lang) });
}
