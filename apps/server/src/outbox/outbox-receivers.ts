import type { OutboxRow } from './outbox-rows.sql.js';

/**
 * Behind the ids of events and queues that are for the EventSink where there is a webhook too: each receiver has
 * queues of its own, so that neither waits for the other. An id without it is for the only receiver, or for the webhook.
 */
const FOR_SINK = '@sink';

/** What is behind the ids of the rows that an event takes: one for each receiver. */
export type Copies = readonly string[];

export const copiesFor = (hasWebhook: boolean, hasSink: boolean): Copies => [
  ...(hasWebhook || hasSink ? [''] : []),
  ...(hasWebhook && hasSink ? [FOR_SINK] : []),
];

export const copiesOf = (row: OutboxRow, copies: Copies): OutboxRow[] =>
  copies.map((suffix) => ({ ...row, id: row.id + suffix, queueId: row.queueId + suffix }));

export const isForSink = (id: string) => id.endsWith(FOR_SINK);

/** As receivers know it: the same for each of them. */
export const deliveredId = (id: string) => (isForSink(id) ? id.slice(0, -FOR_SINK.length) : id);
