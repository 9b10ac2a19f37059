import { Accounts0001Migration1795219200001 } from './accounts-0001.migration.js';

/** In the order they run; listed by hand, never found by a pattern. */
export const accountsMigrations = [Accounts0001Migration1795219200001];
