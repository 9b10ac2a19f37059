import type { AccountScriptTexts } from '../../../account/account-texts.js';
import type { Account } from '../account.js';
import { eventWords } from '../activity/event-kinds.js';
import { browserWords } from '../browser-words.js';
import { capital, fill, isolate, part } from '../part.js';
import { type Row, showRows } from '../rows.js';
import type { Section } from '../section.js';
import { timeWords } from '../time-words.js';

/** An event as listed by `/svc/me/activity`; `at` in epoch seconds. */
interface ActivityEvent {
  readonly type: string;
  readonly at: number;
  readonly app: string | null;
  readonly browser: string | null;
}

/** The number of events shown before the person expands the list. */
const FIRST = 8;

/** The account's recent activity in words, with advice for people who did not cause it. */
export function activitySection(account: Account): Section {
  const texts = account.texts.activity;
  let isWhole = false;
  let latest: readonly ActivityEvent[] = [];
  let shown = '';

  const fillRow = (row: Row, { type, at, app, browser }: ActivityEvent) => {
    const { words, advice, link, isGrave } = eventWords(type, texts);
    const name = app === null ? texts.someApp : isolate(app);
    row.text('what', capital(fill(words, { app: name, type: isolate(type) })));
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
    part('all-events').textContent = fill(texts.all, { n: events.length });
    showRows(isMore ? events.slice(0, FIRST) : events, {
      list: 'event-list',
      template: 'event-row',
      keyOf: ({ at, type }) => `${type} ${at}`,
      fill: fillRow,
    });
  };

  part('all-events').addEventListener('click', () => {
    isWhole = true;
    show(latest);
    part('event-list').querySelectorAll<HTMLElement>('li')[FIRST]?.focus();
  });
  return {
    id: 'activity',
    async load(get) {
      const { events } = await get<{ readonly events: readonly ActivityEvent[] }>(
        '/svc/me/activity',
      );
      return () => show((latest = events));
    },
  };
}

function whereWords(at: number, browser: string | null, texts: AccountScriptTexts['page']) {
  const when = capital(timeWords(at, texts));
  if (browser === null) return when;
  return fill(texts.both, { first: when, second: browserWords(browser, texts.browser) });
}
