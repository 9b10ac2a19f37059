export { describeBudgetStore } from './budget-store.contract.js';
export { nobodysOwnLimits } from './own-limits.testbed.js';
