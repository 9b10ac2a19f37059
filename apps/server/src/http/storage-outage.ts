import { LimitUnknownError } from '#libs/budget';
import { isDatabaseOutage, isRedisOutage } from '#libs/platform';

/** Whether what failed may work by and by, without anybody's change: storage, or what tells limits, does not answer. */
export const isStorageOutage = (error: unknown): boolean =>
  isDatabaseOutage(error) || isRedisOutage(error) || error instanceof LimitUnknownError;
