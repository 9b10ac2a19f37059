// What the package exports as `gatehouse/budget`: docs/guides/extending.md lists it. All else of this lib may change.
export {
  BudgetExhaustedError,
  BudgetLimits,
  BudgetService,
  BudgetStore,
  type DayBalance,
  type Deletion,
  type SetLimits,
} from './index.js';
