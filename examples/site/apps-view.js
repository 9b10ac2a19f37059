import { create, element } from './elements.js';

const moment = new Intl.DateTimeFormat(document.documentElement.lang, {
  dateStyle: 'medium',
  timeStyle: 'medium',
});
let shown;

/** Lists the connected apps; `onDisconnect` gets the app whose button was pressed. */
export function showApps(apps, onDisconnect) {
  // Redrawing what has not changed would take the focus away from its button.
  const state = JSON.stringify(apps);
  if (state === shown) return;
  shown = state;
  element('no-apps').hidden = apps.length > 0;
  element('apps').replaceChildren(...apps.map((app) => row(app, onDisconnect)));
}

function row(app, onDisconnect) {
  const button = create('button', {
    type: 'button',
    text: 'Disconnect',
    'aria-label': `Disconnect ${app.app}, connected ${since(app)}`,
  });
  button.addEventListener('click', () => onDisconnect(app, button));
  const about = create('div', {}, create('strong', { text: app.app }), ...details(app));
  return create('li', { className: 'row' }, about, button);
}

/** Apps may have one name; the moment they were connected tells them apart. */
const since = ({ createdAt }) => moment.format(createdAt * 1000);

function details(app) {
  const { published, redirectHost, scope } = app;
  const who = published === null ? 'name unverified' : `published by ${published}`;
  const where = redirectHost === null ? '' : `, returns to ${redirectHost}`;
  return [
    create('span', { className: 'quiet', text: `${who}${where}` }),
    create('span', { className: 'quiet', text: `may use ${scope.join(', ')}` }),
    create('span', { className: 'quiet', text: `connected ${since(app)}` }),
  ];
}
