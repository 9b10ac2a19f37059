import { orNull, pageOf, record, string, strings, time } from '../answers.js';
import { page, text } from '../fields.js';
import { operation } from '../operation.js';

const app = record({
  id: string,
  user: string,
  client: string,
  app: string,
  redirectHost: orNull(string),
  scope: strings,
  createdAt: time,
  lastUsedAt: time,
  expiresAt: time,
});

export const appOperations = [
  operation({
    method: 'GET',
    path: '/admin/apps',
    id: 'listApps',
    summary: 'Connected apps of one account, newest first',
    query: { ...page, user: text(64) },
    answer: pageOf(app),
    run: (to, asked) => to.apps.list(asked),
  }),
  operation({
    method: 'POST',
    path: '/admin/apps/{id}/revoke',
    id: 'revokeApp',
    summary: 'Disconnects an app',
    answer: app,
    run: (to, { id }) => to.apps.revoke(id, to.actor),
  }),
];
