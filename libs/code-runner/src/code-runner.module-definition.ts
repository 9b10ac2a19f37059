import { defineModule } from '#libs/module-definition';

/** `providers` may replace CodeRunner and UserRunLimit; `imports` brings BudgetModule and ScreeningModule. */
export const { ConfigurableModuleClass } = defineModule<object>('CodeRunner');
