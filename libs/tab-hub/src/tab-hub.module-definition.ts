import { ConfigurableModuleBuilder, type ModuleMetadata } from '@nestjs/common';

export interface TabsOptions {
  /** How often a tab has to show that it is alive. Default: 30 seconds. */
  readonly heartbeatMs?: number;
}

/** `providers` may replace TabBus and TabPresence; `imports` brings the accounts module. */
type TabsExtras = Pick<ModuleMetadata, 'imports' | 'providers'>;

export const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN: TABS_OPTIONS } =
  new ConfigurableModuleBuilder<TabsOptions>({ moduleName: 'Tabs' })
    .setClassMethodName('forRoot')
    .setExtras<TabsExtras>({}, (definition, { imports = [], providers = [] }) => ({
      ...definition,
      imports: [...(definition.imports ?? []), ...imports],
      providers: [...(definition.providers ?? []), ...providers],
    }))
    .build();
