import { send } from '../../auth-api.js';
import { type Account, unlessGone } from '../account.js';
import { type ConnectedApp, datesOf, momentOf, originOf } from '../apps/app-words.js';
import { fill, isolate, part } from '../part.js';
import { type Row, showRows } from '../rows.js';
import type { Section } from '../section.js';

const APPS = '/svc/me/apps';

/** The connected apps: what each may do, and how to disconnect it. */
export function appsSection(account: Account): Section {
  const texts = account.texts.apps;
  const scopes = new Map(
    JSON.parse(part('app-list').dataset['scopes'] ?? '[]') as readonly [string, string][],
  );

  const maxAgeS = Number.parseFloat(part('app-list').dataset['maxAge'] ?? '');

  const fillRow = (row: Row, app: ConnectedApp, alone: boolean) => {
    row.text('name', app.app);
    row.hosts('origin', originOf(app, texts));
    row.text('dates', datesOf(app, { texts: account.texts, isAlone: alone, maxAgeS }));
    row.slot('may').hidden = app.scope.length === 0;
    row
      .slot('scopes')
      .replaceChildren(...app.scope.map((name) => itemOf(scopes.get(name) ?? name)));
    const label = { name: isolate(app.app), when: momentOf(app, account.texts, alone) };
    row.button('disconnect', fill(texts.disconnectOne, label), () => void disconnect(app));
  };

  const disconnect = async ({ id, app }: ConnectedApp) => {
    const isDone = await account.ask({
      title: fill(texts.askTitle, { name: isolate(app) }),
      text: texts.askText,
      act: texts.askAct,
      run: () => unlessGone(send('DELETE', `${APPS}/${id}`)),
    });
    if (!isDone) return;
    part('apps-heading').focus();
    account.say(texts.done);
    await account.refresh();
  };

  return {
    id: 'apps',
    async load(get) {
      const { apps } = await get<{ readonly apps: readonly ConnectedApp[] }>(APPS);
      return () => {
        part('no-apps').hidden = apps.length > 0;
        part('app-list').hidden = apps.length === 0;
        showRows(apps, {
          list: 'app-list',
          template: 'app-row',
          keyOf: ({ id }) => id,
          fill: (row, app) => fillRow(row, app, isAlone(app, apps)),
        });
      };
    },
  };
}

const isAlone = ({ app: name }: ConnectedApp, apps: readonly ConnectedApp[]) =>
  apps.filter(({ app }) => app === name).length === 1;

function itemOf(text: string) {
  const item = document.createElement('li');
  item.textContent = text;
  return item;
}
