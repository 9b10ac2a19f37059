import { ConfigurableModuleBuilder, type ModuleMetadata } from '@nestjs/common';

export interface BudgetOptions {
  /** Credits per user and UTC day. */
  readonly dailyLimit: number;
}

/** `providers` may replace any default, such as BudgetStore; `imports` brings what they need. */
type BudgetExtras = Pick<ModuleMetadata, 'imports' | 'providers'>;

export const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN: BUDGET_OPTIONS } =
  new ConfigurableModuleBuilder<BudgetOptions>({ moduleName: 'Budget' })
    .setClassMethodName('forRoot')
    .setExtras<BudgetExtras>({}, (definition, { imports = [], providers = [] }) => ({
      ...definition,
      imports: [...(definition.imports ?? []), ...imports],
      providers: [...(definition.providers ?? []), ...providers],
    }))
    .build();
