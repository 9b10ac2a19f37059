import { boolean, record, string } from '../answers.js';
import { operation } from '../operation.js';

const client = record({ client: string, blocked: boolean });
const redirectHost = record({ redirectHost: string, blocked: boolean });

export const blockOperations = [
  operation({
    method: 'POST',
    path: '/admin/clients/{id}/block',
    id: 'blockClient',
    summary: 'Keeps a client out',
    answer: client,
    run: (to, { id }) => to.blocks.block({ client: id }, to.actor),
  }),
  operation({
    method: 'POST',
    path: '/admin/clients/{id}/unblock',
    id: 'unblockClient',
    summary: 'Lets a client in again, with the apps it had',
    answer: client,
    run: (to, { id }) => to.blocks.unblock({ client: id }, to.actor),
  }),
  operation({
    method: 'POST',
    path: '/admin/redirect-hosts/{host}/block',
    id: 'blockRedirectHost',
    summary: 'Keeps out every client that sends the browser back to this host',
    answer: redirectHost,
    run: (to, { host }) => to.blocks.block({ redirectHost: host }, to.actor),
  }),
  operation({
    method: 'POST',
    path: '/admin/redirect-hosts/{host}/unblock',
    id: 'unblockRedirectHost',
    summary: 'Lets them in again, with the apps they had',
    answer: redirectHost,
    run: (to, { host }) => to.blocks.unblock({ redirectHost: host }, to.actor),
  }),
];
