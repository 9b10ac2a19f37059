export { BudgetExhaustedError, type BudgetReservation, LimitUnknownError } from './budget.js';
export { BudgetLimits, type SetLimits } from './budget-limits.js';
export { type UserBudget, BudgetMeter, BudgetService, measureCharges } from './budget.service.js';
export { BudgetStore } from './budget-store.js';
export { RedisBudgetStore } from './budget-store.redis.js';
export { BudgetEntity, ConnectionBudgetEntity, SqlBudgetStore } from './budget-store.sql.js';
export { BudgetModule } from './budget.module.js';
export { budgetMigrations } from './migrations/budget-migrations.js';
export { OwnLimitEntity, OwnLimits } from './own-limits.store.js';
