import { send } from '../auth-api.js';
import { fillText, onClick, part } from '../elements.js';
import { type Account, remove } from './account.js';
import type { ListedSession } from './answers.js';
import { type ListRow, showRows } from './rows.js';
import { pageSection } from './sections.js';
import { browserWords, deviceOf, whenWords } from './words.js';

const SESSIONS = '/svc/me/sessions';

export function sessionsSection(account: Account) {
  const texts = account.texts.sessions;
  const { page } = account.texts;
  const nameOf = ({ browser }: ListedSession) =>
    browser === null ? texts.unknownBrowser : browserWords(browser, page.browser);

  const fillRow = (row: ListRow, session: ListedSession) => {
    const name = nameOf(session);
    const { current, createdAt, lastSeenAt } = session;
    const seen = current ? texts.activeNow : whenWords(texts.seen, lastSeenAt, page);
    const since = whenWords(texts.since, createdAt, page);
    row.slot('device').dataset['kind'] = deviceOf(session.browser);
    row.text('name', name);
    row.text('dates', fillText(page.both, { first: seen, second: since }));
    row.slot('current').hidden = !current;
    row.slot('end').hidden = current;
    row.button('end', fillText(texts.endOne, { name }), () => end(session, name));
  };

  const end = ({ id, lastSeenAt }: ListedSession, name: string) =>
    account.change({
      title: fillText(texts.endTitle, { name }),
      text: whenWords(texts.endText, lastSeenAt, page),
      act: texts.endAct,
      run: () => remove(`${SESSIONS}/${id}`),
      done: texts.doneEnd,
      section: 'sessions',
    });

  onClick('end-others', () =>
    account.change({
      title: texts.othersTitle,
      text: texts.othersText,
      act: texts.othersAct,
      run: () => send('DELETE', SESSIONS),
      done: texts.doneOthers,
      section: 'sessions',
    }),
  );
  return pageSection({
    id: 'sessions',
    load: (get) => get(SESSIONS),
    show({ sessions }) {
      part('sessions .decision').hidden = sessions.every(({ current }) => current);
      showRows('session', sessions, ({ id }) => id, fillRow);
    },
  });
}
