import type { OutboxRow } from './outbox-rows.sql.js';

/**
 * Suffix of the ids of events and queues for the EventSink where a webhook is configured too: each receiver has its
 * own queues, so that neither waits for the other. An id without the suffix is for the webhook, or for the only
 * receiver.
 */
const FOR_SINK = '@sink';

/** The id suffixes of an event's rows: one for each receiver. */
export type Copies = readonly string[];

export const copiesFor = (hasWebhook: boolean, hasSink: boolean): Copies => [
  ...(hasWebhook || hasSink ? [''] : []),
  ...(hasWebhook && hasSink ? [FOR_SINK] : []),
];

export const copiesOf = (row: OutboxRow, copies: Copies): OutboxRow[] =>
  copies.map((suffix) => ({ ...row, id: row.id + suffix, queueId: row.queueId + suffix }));

export const isForSink = (id: string) => id.endsWith(FOR_SINK);

/** The id that receivers see: the same for each of them. */
export const deliveredId = (id: string) => (isForSink(id) ? id.slice(0, -FOR_SINK.length) : id);
