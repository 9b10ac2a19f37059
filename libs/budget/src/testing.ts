export { describeBudgetStore } from './budget-store.contract.js';
