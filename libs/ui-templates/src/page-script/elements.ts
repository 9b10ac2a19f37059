import { document, location, type PageControl, type PageElement } from './dom.js';

/** Throws when the page has no such element. */
export function element<Kind extends PageElement = PageElement>(id: string): Kind {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`no #${id}`);
  return found as Kind;
}

export function control(id: string) {
  return element<PageControl>(id);
}

type Region = 'status' | 'account-status' | 'name-fault' | 'invite-fault';

/** Shows the text in a live region, so that screen readers announce it. */
export function say(text: string, region: Region = 'status') {
  const status = element(region);
  status.textContent = text;
  if (text !== '') status.scrollIntoView({ block: 'nearest' });
}

export function setBusy(busy: boolean) {
  for (const button of document.querySelectorAll('button')) button.disabled = busy;
  if (busy) element('status').setAttribute('data-busy', '');
  else element('status').removeAttribute('data-busy');
}

/** Reloads the page. Not with reload(): after it Firefox still treats the visit as cross-site. */
export function goOn() {
  location.replace(location.pathname + location.search);
}
