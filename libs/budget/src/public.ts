// What the package exports as `gatehouse/budget`: docs/guides/extending.md lists it. The rest of this lib may change.
export { BudgetExhaustedError, type BudgetHolder, type ChargedConnection } from './budget.js';
export { BudgetLimits, type SetLimits } from './budget-limits.js';
export { BudgetService } from './budget.service.js';
export { BudgetStore, type ChargeOutcome, type DayBalance, type Deletion } from './budget-store.js';
