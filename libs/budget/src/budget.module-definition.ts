import { defineModule } from '#libs/platform';

export interface BudgetOptions {
  readonly dailyLimit: number;
}

/** `providers` may replace any default, such as BudgetStore; `imports` brings their dependencies. */
export const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN: BUDGET_OPTIONS } =
  defineModule<BudgetOptions>('Budget');
