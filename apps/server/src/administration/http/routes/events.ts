import type { OutboxState } from '../../../outbox/outbox-directory.service.js';
import { integer, orNull, pageOf, record, string, time } from '../answers.js';
import { oneOf, page, withDefault } from '../fields.js';
import { operation } from '../operation.js';

const members = {
  id: string,
  type: string,
  user: orNull(string),
  createdAt: time,
  attempts: integer,
  failure: orNull(string),
  deadAt: orNull(time),
};

export const eventOperations = [
  operation({
    method: 'GET',
    path: '/admin/events',
    id: 'listOutbox',
    summary: 'Events that wait to be delivered, or were given up, newest first',
    query: {
      ...page,
      state: withDefault(oneOf(['waiting', 'dead']), (): OutboxState => 'waiting'),
    },
    answer: pageOf(record(members)),
    run: (to, asked) => to.events.list(asked),
  }),
  operation({
    method: 'GET',
    path: '/admin/events/{id}',
    id: 'showOutboxEvent',
    summary: 'One of them, with what is delivered',
    answer: record({ ...members, nextAttemptAt: orNull(time), body: string }),
    run: (to, { id }) => to.events.show(id),
  }),
  operation({
    method: 'POST',
    path: '/admin/events/{id}/retry',
    id: 'retryOutboxEvent',
    summary: 'Has it delivered as if it had never failed',
    answer: record({ id: string }),
    run: (to, { id }) => to.events.retry(id, to.actor),
  }),
  operation({
    method: 'POST',
    path: '/admin/events/retry',
    id: 'retryOutbox',
    summary: 'The same for all that were given up, and all that wait for another attempt',
    answer: record({ dead: integer }),
    run: (to) => to.events.retryAll(to.actor),
  }),
  operation({
    method: 'DELETE',
    path: '/admin/events/{id}',
    id: 'dropOutboxEvent',
    summary: 'Has nobody told of it any more',
    answer: record({ id: string }),
    run: (to, { id }) => to.events.remove(id, to.actor),
  }),
];
