import { fillText, part } from '../elements.js';
import type { Account } from './account.js';
import { showRows } from './rows.js';
import { pageSection } from './sections.js';
import { capital, isolate, whenWords } from './words.js';

/** The requests that wait for an answer; nothing is shown where there are none. */
export const requestsSection = ({ texts: { requests: texts, page } }: Account) =>
  pageSection({
    id: 'requests',
    load: (get) => get('/svc/me/requests'),
    show({ requests }) {
      part('requests').hidden = requests.length === 0;
      showRows(
        'request',
        requests,
        ({ id }) => id,
        (row, { id, app, title, expiresAt }) => {
          const what = fillText(texts.what, { app: isolate(app), title: isolate(title) });
          row.text('what', what);
          row.text('until', capital(whenWords(texts.until, expiresAt, page)));
          row.link('answer', fillText(texts.answerOne, { what }), `/svc/account/requests/${id}`);
        },
      );
    },
  });
