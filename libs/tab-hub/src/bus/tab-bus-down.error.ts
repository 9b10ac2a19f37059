/** The bus has no connection to Redis right now, or one that is too slow; `isRedisOutage` knows it by its code. */
export class TabBusDownError extends Error {
  override name = 'TabBusDownError';
  readonly code = 'ECONNABORTED';

  constructor() {
    super('the tab bus does not get through to Redis');
  }
}
