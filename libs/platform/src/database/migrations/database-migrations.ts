import { Database0001Migration1795313900001 } from './database-0001.migration.js';

export const databaseMigrations = [Database0001Migration1795313900001];
