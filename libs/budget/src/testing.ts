export { itIsABudgetStore } from './budget-store.contract.js';
