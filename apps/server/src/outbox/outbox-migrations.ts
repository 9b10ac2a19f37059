import { Outbox0001Migration1795350000001 } from './outbox-0001.migration.js';

/** In the order in which they run. Only ever append to this list. */
export const outboxMigrations = [Outbox0001Migration1795350000001];
