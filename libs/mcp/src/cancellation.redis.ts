import type { Redis } from 'ioredis';
import { parseJson, RedisChannel } from '#libs/platform';
import { type Cancellation, type Cancellations, isRequestId } from './cancellation.js';

/** Cancellations of more ids than a batch needs are too long for the channel and are not published. */
export class RedisCancellations extends RedisChannel<Cancellation> implements Cancellations {
  constructor(redis: Redis) {
    super(redis, {
      name: 'oauth:cancelled-calls',
      connectionName: 'gatehouse-cancellations',
      logContext: RedisCancellations.name,
      sendingFails: 'calls are not cancelled on other replicas',
      sendingWorks: 'calls are cancelled on other replicas again',
      hearingFails: 'calls are not cancelled by other replicas',
      format: ({ grantId, ids }) => JSON.stringify([grantId, ...ids]),
      parse,
    });
  }
}

function parse(text: string): Cancellation | undefined {
  const value = parseJson(text);
  const [grantId, ...ids]: unknown[] = Array.isArray(value) ? value : [];
  return typeof grantId === 'string' ? { grantId, ids: ids.filter(isRequestId) } : undefined;
}
