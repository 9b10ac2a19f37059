import { Budget0001Migration1795219200003 } from './budget-0001.migration.js';

/** In the order they run. */
export const budgetMigrations = [Budget0001Migration1795219200003];
