export { describeBudgetLimits } from './budget-limits.contract.js';
export { budgetServiceOn, CountingStore } from './budget-service.testbed.js';
export { describeBudgetsOfConnections, describeBudgetStore } from './budget-store.contract.js';
