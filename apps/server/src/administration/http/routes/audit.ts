import type { SecurityEventType } from '#libs/accounts';
import { integer, orNull, pageOf, record, string, time as timeSchema } from '../answers.js';
import { type Field, optional, page, text, time } from '../fields.js';
import { operation } from '../operation.js';

const event = record({
  id: string,
  at: timeSchema,
  type: string,
  user: orNull(string),
  client: orNull(string),
  grant: orNull(string),
  origin: orNull(string),
  actor: orNull(string),
  detail: orNull(string),
  count: integer,
  lastAt: orNull(timeSchema),
  network: orNull(string),
  request: orNull(string),
});

export const auditOperations = [
  operation({
    method: 'GET',
    path: '/admin/audit',
    id: 'listEvents',
    summary: 'What happened, newest first',
    query: {
      ...page,
      user: optional(text(64)),
      type: optional(text(32) as Field<SecurityEventType>),
      since: optional(time('ago')),
    },
    answer: pageOf(event),
    run: (to, asked) => to.audit.list(asked),
  }),
];
