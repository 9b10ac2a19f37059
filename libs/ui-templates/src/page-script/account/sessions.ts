import { send } from '../auth-api.js';
import { fillText, part } from '../elements.js';
import { type Account, unlessGone } from './account.js';
import { type ListRow, showRows } from './rows.js';
import type { PageSection } from './sections.js';
import { browserWords, deviceOf, timeWords } from './words.js';

const SESSIONS = '/svc/me/sessions';

/** Times are epoch seconds. */
interface ListedSession {
  readonly id: string;
  readonly browser: string | null;
  readonly createdAt: number;
  readonly lastSeenAt: number;
  readonly current: boolean;
}

export function sessionsSection(account: Account): PageSection {
  const texts = account.texts.sessions;
  const { page } = account.texts;
  const words = (moment: number) => timeWords(moment, page);
  const nameOf = ({ browser }: ListedSession) =>
    browser === null ? texts.unknownBrowser : browserWords(browser, page.browser);

  const fillRow = (row: ListRow, session: ListedSession) => {
    const name = nameOf(session);
    const seen = session.current
      ? texts.activeNow
      : fillText(texts.seen, { when: words(session.lastSeenAt) });
    row.slot('device').dataset['kind'] = deviceOf(session.browser);
    row.text('name', name);
    const since = fillText(texts.since, { when: words(session.createdAt) });
    row.text('dates', fillText(page.both, { first: seen, second: since }));
    row.slot('current').hidden = !session.current;
    row.slot('end').hidden = session.current;
    row.button('end', fillText(texts.endOne, { name }), () => void end(session, name));
  };

  const end = async ({ id, lastSeenAt }: ListedSession, name: string) => {
    const isDone = await account.ask({
      title: fillText(texts.endTitle, { name }),
      text: fillText(texts.endText, { when: words(lastSeenAt) }),
      act: texts.endAct,
      run: () => unlessGone(send('DELETE', `${SESSIONS}/${id}`)),
    });
    if (isDone) await account.finish(texts.doneEnd, 'sessions');
  };

  const endOthers = async () => {
    const isDone = await account.ask({
      title: texts.othersTitle,
      text: texts.othersText,
      act: texts.othersAct,
      run: () => send('DELETE', SESSIONS),
    });
    if (isDone) await account.finish(texts.doneOthers, 'sessions');
  };

  part('end-others').addEventListener('click', () => void endOthers());
  return {
    id: 'sessions',
    async load(get) {
      const { sessions } = await get<{ readonly sessions: readonly ListedSession[] }>(SESSIONS);
      return () => {
        part('sessions .decision').hidden = sessions.every(({ current }) => current);
        showRows('session', sessions, ({ id }) => id, fillRow);
      };
    },
  };
}
