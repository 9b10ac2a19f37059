import type { AccountScriptTexts } from '../../account/account-texts.js';
import { fillText, part } from '../elements.js';
import type { Account } from './account.js';
import type { ActivityEvent } from './answers.js';
import { type ListRow, showRows } from './rows.js';
import type { PageSection } from './sections.js';
import { browserWords, capital, isolate, timeWords } from './words.js';

type ActivityTexts = AccountScriptTexts['activity'];
type EventType = keyof ActivityTexts['types'];
type Advice = keyof ActivityTexts['advice'];

/** An event type, with the advice for people who did not cause the event themselves. */
interface EventKind {
  readonly advice: Advice;
  /** Whether the advice is shown open, because it concerns everyone who sees the event. */
  readonly isGrave?: boolean;
}

const KINDS: Readonly<Partial<Record<EventType, EventKind>>> = {
  'sign-in': { advice: 'passkey' },
  'passkey-added': { advice: 'passkey' },
  'passkey-renamed': { advice: 'intruder' },
  'passkey-removed': { advice: 'intruder' },
  'session-ended': { advice: 'intruder' },
  'other-sessions-ended': { advice: 'intruder' },
  'display-name-changed': { advice: 'intruder' },
  'recovery-codes-created': { advice: 'codes' },
  'account-recovered': { advice: 'recovered', isGrave: true },
  'consent-approved': { advice: 'app' },
  'managed-access-granted': { advice: 'app' },
  'app-disconnected': { advice: 'intruder' },
  'token-replayed': { advice: 'replayed', isGrave: true },
  'signature-counter-reversed': { advice: 'copied', isGrave: true },
  'backup-eligibility-changed': { advice: 'copied', isGrave: true },
  'recovery-link-created': { advice: 'operator' },
  'recovery-link-revoked': { advice: 'operator' },
  'user-signed-out': { advice: 'operator' },
  'user-disabled': { advice: 'operator' },
  'user-enabled': { advice: 'operator' },
  'identity-linked': { advice: 'operator' },
  'identity-unlinked': { advice: 'operator' },
  'budget-set': { advice: 'operator' },
  'budget-reset': { advice: 'operator' },
};

/** The section of the page that the advice refers to. */
const SECTIONS: Readonly<Record<Advice, keyof ActivityTexts['links'] | undefined>> = {
  intruder: 'sessions',
  passkey: 'passkeys',
  codes: 'recovery-codes',
  recovered: 'recovery-codes',
  app: 'apps',
  replayed: 'apps',
  copied: 'passkeys',
  operator: undefined,
};

const kinds = new Map(Object.entries(KINDS));

/** An event in words; the texts of `other` for a type without texts of its own. */
export function eventWords(type: string, texts: ActivityTexts) {
  const words = new Map(Object.entries(texts.types)).get(type) ?? texts.other;
  const kind = kinds.get(type);
  if (kind === undefined) return { words };
  const section = SECTIONS[kind.advice];
  const link = section && { text: texts.links[section], href: `#${section}` };
  return { words, isGrave: kind.isGrave === true, advice: texts.advice[kind.advice], link };
}

const FIRST = 8;

/** The account's recent activity in words, with advice for people who did not cause it. */
export function activitySection(account: Account): PageSection {
  const texts = account.texts.activity;
  let isWhole = false;
  let latest: readonly ActivityEvent[] = [];
  let shown = '';

  const fillRow = (row: ListRow, { type, at, app, browser }: ActivityEvent) => {
    const { words, advice, link, isGrave } = eventWords(type, texts);
    const name = app === null ? texts.someApp : isolate(app);
    row.text('what', capital(fillText(words, { app: name, type: isolate(type) })));
    row.text('where', whereWords(at, browser, account.texts.page));
    row.slot('more').hidden = advice === undefined;
    row.text('advice', advice ?? '');
    row.text('link', link?.text ?? '');
    row.slot('link').hidden = link === undefined;
    row.slot<HTMLAnchorElement>('link').href = link?.href ?? '';
    if (isGrave !== true) return;
    row.text('question', texts.whatToDo);
    row.slot<HTMLDetailsElement>('more').open = true;
  };

  /** Unchanged events are not rendered again, so that the details a person has opened stay open. */
  const show = (events: readonly ActivityEvent[]) => {
    const isMore = events.length > FIRST && !isWhole;
    const said = JSON.stringify([isWhole, events]);
    if (said === shown) return;
    shown = said;
    part('no-events').hidden = events.length > 0;
    part('event-list').hidden = events.length === 0;
    part('more-events').hidden = !isMore;
    part('all-events').textContent = fillText(texts.all, { n: events.length });
    const visible = isMore ? events.slice(0, FIRST) : events;
    showRows('event', visible, ({ at, type }) => `${type} ${at}`, fillRow);
  };

  part('all-events').addEventListener('click', () => {
    isWhole = true;
    show(latest);
    part('event-list').querySelectorAll<HTMLElement>('li')[FIRST]?.focus();
  });
  return {
    id: 'activity',
    async load(get) {
      const { events } = await get('/svc/me/activity');
      return () => show((latest = events));
    },
  };
}

function whereWords(at: number, browser: string | null, texts: AccountScriptTexts['page']) {
  const when = capital(timeWords(at, texts));
  if (browser === null) return when;
  return fillText(texts.both, { first: when, second: browserWords(browser, texts.browser) });
}
