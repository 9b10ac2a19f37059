import type { AccountScriptTexts } from '../../account/account-texts.js';
import { fillText, onClick, part } from '../elements.js';
import type { Account } from './account.js';
import type { ActivityEvent } from './answers.js';
import { type ListRow, showRows } from './rows.js';
import { pageSection } from './sections.js';
import { browserWords, capital, isolate, timeWords } from './words.js';

type ActivityTexts = AccountScriptTexts['activity'];
type EventType = keyof ActivityTexts['types'];
type Advice = keyof ActivityTexts['advice'];

/** The advice for people who did not cause the event themselves, where it is not that about an intruder. */
const ADVICE: Readonly<Partial<Record<EventType, Advice>>> = {
  'sign-in': 'passkey',
  'passkey-added': 'passkey',
  'recovery-codes-created': 'codes',
  'account-recovered': 'recovered',
  'consent-approved': 'app',
  'managed-access-granted': 'app',
  'token-replayed': 'replayed',
  'signature-counter-reversed': 'copied',
  'backup-eligibility-changed': 'copied',
  'recovery-link-created': 'operator',
  'recovery-link-revoked': 'operator',
  'user-signed-out': 'operator',
  'user-disabled': 'operator',
  'user-enabled': 'operator',
  'budget-set': 'operator',
  'budget-reset': 'operator',
};

/** What people need no advice about. */
const HARMLESS: ReadonlySet<string> = new Set<EventType>(['sign-up', 'sign-out']);

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

/** Advice that is shown open, because it concerns everyone who sees the event. */
const GRAVE: ReadonlySet<Advice> = new Set(['recovered', 'replayed', 'copied']);

const adviceByType = new Map(Object.entries(ADVICE));

/** An event in words; the texts of `other` for a type without texts of its own. */
export function eventWords(type: string, texts: ActivityTexts) {
  const words = new Map(Object.entries(texts.types)).get(type);
  if (words === undefined || HARMLESS.has(type)) return { words: words ?? texts.other };
  const advice = adviceByType.get(type) ?? 'intruder';
  const section = SECTIONS[advice];
  const link = section && { text: texts.links[section], href: `#${section}` };
  return { words, isGrave: GRAVE.has(advice), advice: texts.advice[advice], link };
}

const FIRST = 8;

/** The account's recent activity in words, with advice for people who did not cause it. */
export function activitySection(account: Account) {
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
    row.text('advice', advice);
    row.text('link', link?.text);
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

  onClick('all-events', () => {
    isWhole = true;
    show(latest);
    part('event-list').querySelectorAll<HTMLElement>('li')[FIRST]?.focus();
  });
  return pageSection({
    id: 'activity',
    load: (get) => get('/svc/me/activity'),
    show: ({ events }) => show((latest = events)),
  });
}

function whereWords(at: number, browser: string | null, texts: AccountScriptTexts['page']) {
  const when = capital(timeWords(at, texts));
  if (browser === null) return when;
  return fillText(texts.both, { first: when, second: browserWords(browser, texts.browser) });
}
