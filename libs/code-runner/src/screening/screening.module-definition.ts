import { ConfigurableModuleBuilder, type ModuleMetadata } from '@nestjs/common';

export interface ScreeningOptions {
  /** Asked instead of the word list when it is set. */
  readonly webhookUrl: string | undefined;
}

/** `providers` may replace ContentScreener; `imports` brings what the screening needs: BudgetModule. */
type ScreeningExtras = Pick<ModuleMetadata, 'imports' | 'providers'>;

export const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN: SCREENING_OPTIONS } =
  new ConfigurableModuleBuilder<ScreeningOptions>({ moduleName: 'Screening' })
    .setClassMethodName('forRoot')
    .setExtras<ScreeningExtras>({}, (definition, { imports = [], providers = [] }) => ({
      ...definition,
      imports: [...(definition.imports ?? []), ...imports],
      providers: [...(definition.providers ?? []), ...providers],
    }))
    .build();
