import { Budget0001Migration1763683200003 } from './budget-0001.migration.js';

/** In the order they run. */
export const budgetMigrations = [Budget0001Migration1763683200003];
