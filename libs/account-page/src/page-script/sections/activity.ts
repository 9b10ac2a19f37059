import type { Account } from '../account.js';
import { capital, fill, isolate, part } from '../part.js';
import { type Row, showRows } from '../rows.js';
import type { Section } from '../section.js';
import { timeWords } from '../time-words.js';

/** As `/svc/me/activity` has it; `at` in epoch seconds. */
interface ActivityEvent {
  readonly type: string;
  readonly at: number;
  readonly app: string | null;
  readonly browser: string | null;
}

/** So many are shown before somebody asks for all. */
const FIRST = 8;

/** What happened to the account lately, in words, and what to do where it was somebody else. */
export function activitySection(account: Account): Section {
  const texts = account.texts.activity;
  let isWhole = false;
  let latest: readonly ActivityEvent[] = [];
  let shown = '';

  const fillRow = (row: Row, { type, at, app, browser }: ActivityEvent) => {
    const words = texts.types[type];
    const name = app === null ? texts.someApp : isolate(app);
    const when = capital(timeWords(at, account.texts.page));
    row.text('what', capital(fill(words?.text ?? texts.other, { app: name, type })));
    row.text('where', browser === null ? when : fill(texts.where, { when, browser }));
    row.slot('more').hidden = words?.advice === undefined;
    if (words?.advice === undefined) return;
    const { text, link, section } = texts.advice[words.advice];
    row.text('advice', text);
    row.text('link', link);
    row.slot('link').hidden = link === '';
    row.slot<HTMLAnchorElement>('link').href = `#${section}`;
    if (words.isGrave !== true) return;
    row.text('question', texts.whatToDo);
    row.slot<HTMLDetailsElement>('more').open = true;
  };

  /** What somebody opened stays open, as long as there is no news. */
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
