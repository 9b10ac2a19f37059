import type { AccountScriptTexts } from '../../account/account-texts.js';
import { element, fillText, part } from '../elements.js';
import { type Account, remove } from './account.js';
import type { ListedApp } from './answers.js';
import { type ListRow, showRows } from './rows.js';
import { pageSection } from './sections.js';
import { capital, fillName, isolate, timeWords, whenWords } from './words.js';

interface Shown {
  readonly texts: AccountScriptTexts;
  readonly isAlone: boolean;
  readonly maxAgeS: number;
}

/** Access ends this long after its last use. */
const IDLE_S = 30 * 24 * 60 * 60;

/** Who decides about the app, else its origin, as far as it is verified. */
export function originOf(
  { published, redirectHost }: ListedApp,
  texts: AccountScriptTexts['apps'],
  managedBy?: string,
) {
  if (managedBy !== undefined) return fillName(texts.managed, managedBy);
  if (published !== null) return fillText(texts.published, { host: isolate(published) });
  if (redirectHost === null) return texts.unverifiedApp;
  return fillText(texts.unverified, { host: isolate(redirectHost) });
}

/** When the app was connected; to the second where another app has the same name. */
function momentOf({ createdAt }: ListedApp, texts: AccountScriptTexts, isAlone: boolean) {
  if (isAlone) return timeWords(createdAt, texts.page);
  const exact = new Intl.DateTimeFormat(document.documentElement.lang, {
    dateStyle: 'long',
    timeStyle: 'medium',
  });
  return fillText(texts.apps.moment, { moment: exact.format(new Date(createdAt * 1000)) });
}

/** `maxAgeS`: how long after consent access ends in any case; NaN where there is no such limit. */
export function datesOf(app: ListedApp, { texts, isAlone, maxAgeS }: Shown): string {
  const { connected, unused, used } = texts.apps;
  const since = fillText(connected, { when: momentOf(app, texts, isAlone) });
  const lastUse = lastUseOf(app, maxAgeS);
  if (lastUse === undefined) return capital(since);
  const use = lastUse === 'never' ? unused : whenWords(used, lastUse, texts.page);
  return capital(fillText(texts.page.both, { first: since, second: use }));
}

/** The last use, by the time when access ends; undefined where that time does not depend on it. */
function lastUseOf(
  { createdAt, expiresAt }: ListedApp,
  maxAgeS: number,
): number | 'never' | undefined {
  if (expiresAt === null || expiresAt >= createdAt + maxAgeS - 1) return undefined;
  const lastUse = expiresAt - IDLE_S;
  if (lastUse >= createdAt) return lastUse;
  return expiresAt - createdAt <= 10 * 60 ? 'never' : undefined;
}

/** Name, description, and the name of its resource where that is not `/svc/mcp`. */
type ListedScope = readonly [string, string, string?];

export function appsSection(account: Account) {
  const texts = account.texts.apps;
  const listed = JSON.parse(part('app-list').dataset['scopes'] ?? '[]') as readonly ListedScope[];
  const scopes = new Map(listed.map(([name, ...about]) => [name, about]));
  const hasResources = listed.some(([, , resource]) => resource !== undefined);

  const maxAgeS = Number.parseFloat(part('app-list').dataset['maxAge'] ?? '');

  const hasManaged = part('app-list').dataset['managed'] !== undefined;
  let managers: ReadonlyMap<string, string> = new Map();

  const fillRow = (row: ListRow, app: ListedApp, alone: boolean) => {
    row.text('name', app.app);
    row.hosts('origin', originOf(app, texts, managers.get(app.id)));
    row.text('dates', datesOf(app, { texts: account.texts, isAlone: alone, maxAgeS }));
    row.slot('may').hidden = app.scope.length === 0;
    row
      .slot('scopes')
      .replaceChildren(...app.scope.map((name) => element('li', scopes.get(name)?.[0] ?? name)));
    if (hasResources) {
      // All scopes of an app are of one resource.
      const resource = scopes.get(app.scope[0] ?? '')?.[1];
      row.slot('for').hidden = resource === undefined;
      row.text('resource', resource);
    }
    const label = { name: isolate(app.app), when: momentOf(app, account.texts, alone) };
    row.button('disconnect', fillText(texts.disconnectOne, label), () => disconnect(app));
  };

  const disconnect = ({ id, app }: ListedApp) => {
    const manager = managers.get(id);
    return account.change({
      title: fillName(texts.askTitle, app),
      text: manager === undefined ? texts.askText : fillName(texts.askTextManaged, manager),
      act: texts.askAct,
      run: () => remove(`/svc/me/apps/${id}`),
      done: texts.done,
      section: 'apps',
    });
  };

  return pageSection({
    id: 'apps',
    load: (get) =>
      Promise.all([get('/svc/me/apps'), hasManaged ? get('/svc/me/managed-apps') : { apps: [] }]),
    show([{ apps }, managed]) {
      managers = new Map(managed.apps.map(({ id, managedBy }) => [id, managedBy]));
      part('no-apps').hidden = apps.length > 0;
      part('app-list').hidden = apps.length === 0;
      const fill = (row: ListRow, app: ListedApp) => fillRow(row, app, isAlone(app, apps));
      showRows('app', apps, ({ id }) => id, fill);
    },
  });
}

const isAlone = ({ app: name }: ListedApp, apps: readonly ListedApp[]) =>
  apps.filter(({ app }) => app === name).length === 1;
