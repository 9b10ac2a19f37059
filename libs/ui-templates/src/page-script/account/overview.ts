import { fillNumber, part } from '../elements.js';
import type { Account } from './account.js';
import type { PageSection } from './sections.js';

interface Answers {
  readonly passkeys: { readonly passkeys: readonly unknown[] };
  readonly codes: { readonly left: number };
  readonly apps: { readonly apps: readonly unknown[] };
}

/** A one-line summary of the account, without the parts that cannot be loaded. */
export const overviewSection = ({ texts: { overview } }: Account): PageSection => ({
  id: 'overview',
  async load(get) {
    const count = async <Answer>(path: string, read: (answer: Answer) => number) =>
      get<Answer>(path).then(read, () => undefined);
    const [passkeys, codes, apps] = await Promise.all([
      count<Answers['passkeys']>('/svc/me/passkeys', (answer) => answer.passkeys.length),
      count<Answers['codes']>('/svc/me/recovery-codes', ({ left }) => left),
      count<Answers['apps']>('/svc/me/apps', (answer) => answer.apps.length),
    ]);
    const words = [
      passkeys === undefined ? '' : fillNumber(overview.passkeys, passkeys),
      codes === 0 ? overview.noCodes : codes && fillNumber(overview.codes, codes),
      apps === 0 ? overview.noApps : apps && fillNumber(overview.apps, apps),
    ].filter(Boolean);
    return () => void (part('overview').textContent = words.join(' · '));
  },
});
