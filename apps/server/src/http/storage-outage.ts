import { LimitUnknownError } from '#libs/budget';
import { isDatabaseOutage, isRedisOutage } from '#libs/platform';

/** Whether a retry may succeed without any change: a storage, or the store of the limits, does not answer. */
export const isStorageOutage = (error: unknown): boolean =>
  isDatabaseOutage(error) || isRedisOutage(error) || error instanceof LimitUnknownError;
