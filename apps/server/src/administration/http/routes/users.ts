import { integer, orNull, pageOf, record, string, time } from '../answers.js';
import { optional, origin, page, text } from '../fields.js';
import { operation } from '../operation.js';

const members = { id: string, displayName: string, createdAt: time, disabledAt: orNull(time) };
const user = record(members);
const shownUser = record({ ...members, sessions: integer, lastSeenAt: orNull(time) });

export const userOperations = [
  operation({
    method: 'GET',
    path: '/admin/users',
    id: 'listUsers',
    summary: 'Accounts, newest first; by a part of the display name, or by the id',
    query: { ...page, search: optional(text(200)) },
    answer: pageOf(user),
    run: (to, asked) => to.users.list(asked),
  }),
  operation({
    method: 'GET',
    path: '/admin/users/{id}',
    id: 'showUser',
    summary: 'One account, with its sessions',
    answer: shownUser,
    run: (to, { id }) => to.users.show(id),
  }),
  operation({
    method: 'DELETE',
    path: '/admin/users/{id}',
    id: 'deleteUser',
    summary: 'Deletes an account and all that belongs to it',
    answer: record({ id: string, displayName: string, deleted: { const: true } }),
    run: (to, { id }) => to.users.remove(id, to.actor),
  }),
  operation({
    method: 'POST',
    path: '/admin/users/{id}/disable',
    id: 'disableUser',
    summary: 'Signs an account out, and refuses it and its apps',
    answer: shownUser,
    run: (to, { id }) => to.users.disable(id, to.actor),
  }),
  operation({
    method: 'POST',
    path: '/admin/users/{id}/enable',
    id: 'enableUser',
    summary: 'Gives an account its passkeys and apps back',
    answer: shownUser,
    run: (to, { id }) => to.users.enable(id, to.actor),
  }),
  operation({
    method: 'POST',
    path: '/admin/users/{id}/sign-out',
    id: 'signOutUser',
    summary: 'Ends all sessions of an account',
    answer: record({ id: string, endedSessions: integer }),
    run: (to, { id }) => to.users.signOut(id, to.actor),
  }),
  operation({
    method: 'POST',
    path: '/admin/users/{id}/recover',
    id: 'recoverUser',
    summary: 'Makes a link that lets somebody in once, within 24 hours; it is told this once',
    body: { origin: optional(origin) },
    answer: record({ user: string, link: string }),
    refusals: { 409: 'the account is disabled' },
    run: (to, { id, origin: at }) => to.recovery.createLink(id, at, to.actor),
  }),
];
