import { ConfigurableModuleBuilder, type ModuleMetadata } from '@nestjs/common';

/** Besides a module's options: `imports` brings what its providers need, `providers` may replace any default. */
type ModuleExtras = Pick<ModuleMetadata, 'imports' | 'providers'>;

/**
 * The dynamic module of a lib, with `forRoot` and `forRootAsync`: `imports` and `providers` that `forRoot` is given
 * come after the module's own, so a provider of the same token replaces it.
 */
export const defineModule = <Options extends object>(moduleName: string) =>
  new ConfigurableModuleBuilder<Options>({ moduleName })
    .setClassMethodName('forRoot')
    .setExtras<ModuleExtras>({}, (definition, { imports = [], providers = [] }) => ({
      ...definition,
      imports: [...(definition.imports ?? []), ...imports],
      providers: [...(definition.providers ?? []), ...providers],
    }))
    .build();
