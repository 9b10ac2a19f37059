import { Outbox0001Migration1795350000001 } from './outbox-0001.migration.js';

/** In the order they run; this list only ever grows at its end. */
export const outboxMigrations = [Outbox0001Migration1795350000001];
