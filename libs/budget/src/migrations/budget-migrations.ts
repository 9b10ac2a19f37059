import { Budget0001Migration1795219200003 } from './budget-0001.migration.js';
import { Budget0002Migration1795319100003 } from './budget-0002.migration.js';
import { Budget0003Migration1795337000003 } from './budget-0003.migration.js';
import { Budget0004Migration1795800000004 } from './budget-0004.migration.js';

export const budgetMigrations = [
  Budget0001Migration1795219200003,
  Budget0002Migration1795319100003,
  Budget0003Migration1795337000003,
  Budget0004Migration1795800000004,
];
