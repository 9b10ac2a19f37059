import { defineModule } from '#libs/module-definition';

export interface ScreeningOptions {
  /** Asked instead of the word list when it is set. */
  readonly webhookUrl: string | undefined;
}

/** `providers` may replace ContentScreener; `imports` brings what the screening needs: BudgetModule. */
export const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN: SCREENING_OPTIONS } =
  defineModule<ScreeningOptions>('Screening');
