export { describeBudgetLimits } from './budget-limits.contract.js';
export { budgetServiceOn, CountingStore } from './budget-service.testbed.js';
export { describeBudgetStore } from './budget-store.contract.js';
