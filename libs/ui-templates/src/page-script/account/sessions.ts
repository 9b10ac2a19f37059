import { send } from '../auth-api.js';
import { fillText, part } from '../elements.js';
import { type Account, unlessGone } from './account.js';
import type { ListedSession } from './answers.js';
import { type ListRow, showRows } from './rows.js';
import type { PageSection } from './sections.js';
import { browserWords, deviceOf, timeWords } from './words.js';

const SESSIONS = '/svc/me/sessions';

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

  const end = ({ id, lastSeenAt }: ListedSession, name: string) =>
    account.change({
      title: fillText(texts.endTitle, { name }),
      text: fillText(texts.endText, { when: words(lastSeenAt) }),
      act: texts.endAct,
      run: () => unlessGone(send('DELETE', `${SESSIONS}/${id}`)),
      done: texts.doneEnd,
      section: 'sessions',
    });

  const endOthers = () =>
    account.change({
      title: texts.othersTitle,
      text: texts.othersText,
      act: texts.othersAct,
      run: () => send('DELETE', SESSIONS),
      done: texts.doneOthers,
      section: 'sessions',
    });

  part('end-others').addEventListener('click', () => void endOthers());
  return {
    id: 'sessions',
    async load(get) {
      const { sessions } = await get(SESSIONS);
      return () => {
        part('sessions .decision').hidden = sessions.every(({ current }) => current);
        showRows('session', sessions, ({ id }) => id, fillRow);
      };
    },
  };
}
