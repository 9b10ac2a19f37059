import { integer, pageOf, record, string, time as timeSchema } from '../answers.js';
import { page, time, wholeNumber, withDefault } from '../fields.js';
import { operation } from '../operation.js';

const WEEK_MS = 7 * 24 * 60 * 60 * 1000;
const MOST_USES = 10_000;

const members = { id: string, uses: integer, usesLeft: integer, createdAt: timeSchema };
const invite = record({ ...members, createdBy: string, expiresAt: timeSchema });

export const inviteOperations = [
  operation({
    method: 'GET',
    path: '/admin/invites',
    id: 'listInvites',
    summary: 'Invitation codes that have not expired, newest first',
    query: page,
    answer: pageOf(invite),
    run: (to, asked) => to.invites.list(asked),
  }),
  operation({
    method: 'POST',
    path: '/admin/invites',
    id: 'createInvite',
    summary: 'Makes a code that lets people create accounts, which is told this once',
    body: {
      uses: withDefault(wholeNumber(1, MOST_USES), () => 1),
      expires: withDefault(time('from-now'), () => Date.now() + WEEK_MS),
    },
    answer: record({ id: string, code: string, uses: integer, expiresAt: timeSchema }),
    status: 201,
    run: (to, { uses, expires }) => to.invites.create({ uses, expiresAt: expires }, to.actor),
  }),
  operation({
    method: 'DELETE',
    path: '/admin/invites/{id}',
    id: 'deleteInvite',
    summary: 'Makes a code worthless; its accounts stay',
    answer: record({ id: string }),
    run: (to, { id }) => to.invites.remove(id, to.actor),
  }),
];
