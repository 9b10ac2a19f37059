import { Console0001Migration1795812000001 } from './console-0001.migration.js';

/** In the order in which they run. Only ever append to this list. */
export const consoleMigrations = [Console0001Migration1795812000001];
