import { boolean, integer, orNull, pageOf, record, string, strings, time } from '../answers.js';
import { listOf, oneOf, optional, page, text } from '../fields.js';
import { operation } from '../operation.js';

const members = {
  id: string,
  name: orNull(string),
  kind: { enum: ['registered', 'published'] },
  redirectUris: strings,
  auth: orNull(string),
  createdAt: time,
  lastUsedAt: time,
};
const issued = record({ id: string, secret: orNull(string) });
const AUTH = ['none', 'client_secret_basic', 'client_secret_post'] as const;

export const clientOperations = [
  operation({
    method: 'GET',
    path: '/admin/clients',
    id: 'listClients',
    summary: 'OAuth clients, newest first',
    query: page,
    answer: pageOf(record(members)),
    run: (to, asked) => to.clients.list(asked),
  }),
  operation({
    method: 'POST',
    path: '/admin/clients',
    id: 'createClient',
    summary: 'Makes a client, which stays until it is deleted; its secret is told this once',
    body: {
      name: text(200),
      redirectUris: listOf(text(2048), 20),
      auth: optional(oneOf(AUTH)),
    },
    answer: issued,
    status: 201,
    run: (to, { auth = 'none', ...client }) => to.clients.create({ ...client, auth }, to.actor),
  }),
  operation({
    method: 'GET',
    path: '/admin/clients/{id}',
    id: 'showClient',
    summary: 'One client, with how many times it is connected',
    answer: record({ ...members, apps: integer, blocked: boolean }),
    run: (to, { id }) => to.clients.show(id),
  }),
  operation({
    method: 'DELETE',
    path: '/admin/clients/{id}',
    id: 'deleteClient',
    summary: 'Removes a client and ends its grants',
    answer: record({ id: string, endedApps: integer }),
    run: (to, { id }) => to.clients.remove(id, to.actor),
  }),
  operation({
    method: 'POST',
    path: '/admin/clients/{id}/rotate-secret',
    id: 'rotateClientSecret',
    summary: 'Gives a client another secret, which is told this once',
    answer: issued,
    refusals: { 409: 'the client has no secret' },
    run: (to, { id }) => to.clients.rotateSecret(id, to.actor),
  }),
];
