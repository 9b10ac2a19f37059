import { Database0001Migration1795313900001 } from './database-0001.migration.js';

/** In the order they run; listed explicitly, never found by a pattern. */
export const databaseMigrations = [Database0001Migration1795313900001];
