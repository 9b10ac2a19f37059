import { fillNumber, part } from '../elements.js';
import type { Account } from './account.js';
import { pageSection } from './sections.js';

/** A one-line summary of the account, without the parts that cannot be loaded. */
export const overviewSection = ({ texts: { overview } }: Account) =>
  pageSection({
    id: 'overview',
    load(get) {
      const unknown = () => undefined;
      return Promise.all([
        get('/svc/me/passkeys').then((answer) => answer.passkeys.length, unknown),
        get('/svc/me/recovery-codes').then(({ left }) => left, unknown),
        get('/svc/me/connections').then((answer) => answer.connections.length, unknown),
      ]);
    },
    show([passkeys, codes, apps]) {
      const words = [
        passkeys === undefined ? '' : fillNumber(overview.passkeys, passkeys),
        codes === 0 ? overview.noCodes : codes && fillNumber(overview.codes, codes),
        apps === 0 ? overview.noApps : apps && fillNumber(overview.apps, apps),
      ];
      part('overview').textContent = words.filter(Boolean).join(' · ');
    },
  });
