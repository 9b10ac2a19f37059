import { integer, orNull, record, string, strings, time } from '../answers.js';
import { operation } from '../operation.js';

const number = { type: 'number' };
const listOf = (items: object) => ({ type: 'array', items });

const replica = record({
  version: string,
  node: string,
  startedAt: time,
  variables: strings,
  modules: strings,
  adapters: { type: 'object', additionalProperties: string },
  load: record({
    requestsAtWork: integer,
    bodyBytes: integer,
    loopLagMs: integer,
    refused: record({ requests: integer, lag: integer }),
  }),
  memory: record({
    rssBytes: integer,
    heapUsedBytes: integer,
    heapTotalBytes: integer,
    externalBytes: integer,
  }),
  database: record({
    type: string,
    connections: orNull(record({ busy: integer, idle: integer, waiting: integer, most: integer })),
  }),
  redis: orNull(record({ status: string, unanswered: integer })),
  hub: record({
    tabs: integer,
    accounts: integer,
    busiest: listOf(record({ user: string, tabs: integer })),
  }),
  routes: listOf(
    record({
      method: string,
      route: string,
      requests: integer,
      failed: integer,
      totalMs: number,
      meanMs: number,
      p99Ms: number,
    }),
  ),
});

export const replicaOperations = [
  operation({
    method: 'GET',
    path: '/admin/replica',
    id: 'showReplica',
    summary: 'What the replica that is asked is made of, and what it is doing',
    answer: replica,
    run: (to) => to.replica.show(),
  }),
];
