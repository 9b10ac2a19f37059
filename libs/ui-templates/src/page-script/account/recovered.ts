import { part } from '../elements.js';
import type { Account } from './account.js';
import type { Passkey } from './answers.js';
import { offerPasskey } from './passkeys.js';
import { type PageSection, pageSection } from './sections.js';

/** Offers to add a passkey after a recovery; no section in any other session. */
export function recoveredSection(account: Account): PageSection[] {
  if (!document.querySelector('#recovered')) return [];
  const since = Number(part('recovered-todo').dataset['since']);
  let known: ReadonlySet<string> | undefined;
  offerPasskey(account, 'recovered-add', 'recovered');

  /** One of the same second as the recovery may be older than it: it counts as new by its id alone. */
  const isNew = ({ id, createdAt }: Passkey) => createdAt > since || known?.has(id) === false;
  const show = (passkeys: readonly Passkey[]) => {
    const isDone = passkeys.some(isNew);
    const isFirst = known === undefined;
    known ??= new Set(passkeys.map(({ id }) => id));
    part('recovered').hidden = isDone && isFirst;
    if (isDone) sayDone();
    // After the section has been shown.
    else if (isFirst) queueMicrotask(() => part('recovered-add').focus());
  };
  return [
    pageSection({
      id: 'recovered',
      load: (get) => get('/svc/me/passkeys'),
      show: ({ passkeys }) => show(passkeys),
    }),
  ];
}

function sayDone() {
  const done = part('recovered-done');
  if (!done.hidden) return;
  const hadFocus = part('recovered').contains(document.activeElement);
  part('recovered-heading').textContent = done.dataset['heading'] ?? '';
  part('recovered-todo').hidden = true;
  done.hidden = false;
  if (hadFocus) part('recovered-heading').focus();
}
