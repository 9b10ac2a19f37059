import type { Redis } from 'ioredis';
import { RedisChannel } from '#libs/platform';
import type { ApprovalSignals } from './approval-signals.js';

export class RedisApprovalSignals extends RedisChannel<string> implements ApprovalSignals {
  constructor(redis: Redis) {
    super(redis, {
      name: 'oauth:requests',
      connectionName: 'gatehouse-requests',
      logContext: RedisApprovalSignals.name,
      sendingFails: 'requests to people are shown and answered late on other replicas',
      sendingWorks: 'requests to people are shown and answered at once again',
      hearingFails: 'requests to people of other replicas are shown and answered late here',
      format: (userId) => userId,
      parse: (userId) => userId,
    });
  }
}
