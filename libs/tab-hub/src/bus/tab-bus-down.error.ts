/** The bus has no connection to Redis right now; `isRedisOutage` knows it by its code. */
export class TabBusDownError extends Error {
  override name = 'TabBusDownError';
  readonly code = 'ECONNABORTED';

  constructor() {
    super('the tab bus has no connection to Redis');
  }
}
