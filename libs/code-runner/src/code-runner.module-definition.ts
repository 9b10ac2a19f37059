import { ConfigurableModuleBuilder, type ModuleMetadata } from '@nestjs/common';

/** `providers` may replace CodeRunner and RunSlots; `imports` brings BudgetModule and ScreeningModule. */
type CodeExtras = Pick<ModuleMetadata, 'imports' | 'providers'>;

export const { ConfigurableModuleClass } = new ConfigurableModuleBuilder<object>({
  moduleName: 'Code',
})
  .setClassMethodName('forRoot')
  .setExtras<CodeExtras>({}, (definition, { imports = [], providers = [] }) => ({
    ...definition,
    imports: [...(definition.imports ?? []), ...imports],
    providers: [...(definition.providers ?? []), ...providers],
  }))
  .build();
