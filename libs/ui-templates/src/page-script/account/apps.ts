import type { AccountScriptTexts } from '../../account/account-texts.js';
import { element, fillText, part } from '../elements.js';
import { type Account, remove } from './account.js';
import type { Connection } from './answers.js';
import { type ListRow, showRows } from './rows.js';
import { pageSection } from './sections.js';
import { capital, fillName, isolate, timeWords, whenWords } from './words.js';

/** Who decides about the app, else its origin, as far as it is verified. */
export function originOf(
  { published, redirectHost, managedBy }: Connection,
  texts: AccountScriptTexts['apps'],
) {
  if (managedBy !== null) return fillName(texts.managed, managedBy);
  if (published !== null) return fillText(texts.published, { host: isolate(published) });
  if (redirectHost === null) return texts.unverifiedApp;
  return fillText(texts.unverified, { host: isolate(redirectHost) });
}

/** When the app was connected; to the second where another app has the same name. */
export function momentOf({ createdAt }: Connection, texts: AccountScriptTexts, isAlone: boolean) {
  if (isAlone) return timeWords(createdAt, texts.page);
  const exact = new Intl.DateTimeFormat(document.documentElement.lang, {
    dateStyle: 'long',
    timeStyle: 'medium',
  });
  return fillText(texts.apps.moment, { moment: exact.format(new Date(createdAt * 1000)) });
}

export function datesOf(
  { lastUsedAt }: Connection,
  { apps, page }: AccountScriptTexts,
  moment: string,
): string {
  const since = fillText(apps.connected, { when: moment });
  const use = whenWords(apps.used, lastUsedAt, page);
  return capital(fillText(page.both, { first: since, second: use }));
}

/** Name, description, and the name of its resource where that is not `/svc/mcp`. */
type ListedScope = readonly [string, string, string?];

export function appsSection(account: Account) {
  const texts = account.texts.apps;
  const listed = JSON.parse(part('app-list').dataset['scopes'] ?? '[]') as readonly ListedScope[];
  const scopes = new Map(listed.map(([name, ...about]) => [name, about]));
  const hasResources = listed.some(([, , resource]) => resource !== undefined);

  const fillRow = (row: ListRow, app: Connection, alone: boolean) => {
    const moment = momentOf(app, account.texts, alone);
    const granted = Object.entries(app.permissions).filter(([, word]) => word !== 'off');
    row.text('name', app.app);
    row.slot('paused').hidden = app.pausedBy === null;
    row.hosts('origin', originOf(app, texts));
    row.text('dates', datesOf(app, account.texts, moment));
    row.slot('may').hidden = granted.length === 0;
    const items = granted.map(([name, word]) => {
      const permission = scopes.get(name)?.[0] ?? name;
      return element('li', word === 'ask' ? fillText(texts.asks, { permission }) : permission);
    });
    row.slot('scopes').replaceChildren(...items);
    if (hasResources) {
      // All scopes of an app are of one resource.
      const resource = scopes.get(Object.keys(app.permissions)[0] ?? '')?.[1];
      row.slot('for').hidden = resource === undefined;
      row.text('resource', resource);
    }
    const label = { name: isolate(app.app), when: moment };
    row.link('manage', fillText(texts.manageOne, label), `/svc/account/apps/${app.id}`);
    row.button('disconnect', fillText(texts.disconnectOne, label), () => disconnect(app));
  };

  const disconnect = ({ id, app, managedBy }: Connection) =>
    account.change({
      title: fillName(texts.askTitle, app),
      text: managedBy === null ? texts.askText : fillName(texts.askTextManaged, managedBy),
      act: texts.askAct,
      run: () => remove(`/svc/me/apps/${id}`),
      done: texts.done,
      section: 'apps',
    });

  return pageSection({
    id: 'apps',
    load: (get) => get('/svc/me/connections'),
    show({ connections }) {
      part('no-apps').hidden = connections.length > 0;
      part('app-list').hidden = connections.length === 0;
      const fill = (row: ListRow, app: Connection) => fillRow(row, app, isAlone(app, connections));
      showRows('app', connections, ({ id }) => id, fill);
    },
  });
}

const isAlone = ({ app: name }: Connection, apps: readonly Connection[]) =>
  apps.filter(({ app }) => app === name).length === 1;
