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

/** Says it in a live region, so that screen readers say it too. */
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

/** Loads the page anew. Not reload(): after it Firefox goes on to call the visit cross-site. */
export function goOn() {
  location.replace(location.pathname + location.search);
}
