import { ConfigurableModuleBuilder, type ModuleMetadata } from '@nestjs/common';

/** Besides a module's options: `imports` brings what its providers need, `providers` may replace any default. */
type ModuleExtras = Pick<ModuleMetadata, 'imports' | 'providers'>;

/** The dynamic module of a lib; what `forRoot` is given comes last, so a provider of the same token replaces it. */
export const defineModule = <Options extends object>(moduleName: string) =>
  new ConfigurableModuleBuilder<Options>({ moduleName })
    .setClassMethodName('forRoot')
    .setExtras<ModuleExtras>({}, (definition, { imports = [], providers = [] }) => ({
      ...definition,
      imports: [...(definition.imports ?? []), ...imports],
      providers: [...(definition.providers ?? []), ...providers],
    }))
    .build();
