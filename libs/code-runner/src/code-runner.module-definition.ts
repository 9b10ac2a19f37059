import { defineModule } from '#libs/module-definition';

/** `providers` may replace CodeRunner and RunSlots; `imports` brings BudgetModule and ScreeningModule. */
export const { ConfigurableModuleClass } = defineModule<object>('Code');
