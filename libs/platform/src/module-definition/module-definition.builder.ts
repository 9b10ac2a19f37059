import { ConfigurableModuleBuilder, type ModuleMetadata } from '@nestjs/common';

/** Beside a module's options: `imports` brings what its providers need, `providers` may replace any default. */
type ModuleExtras = Pick<ModuleMetadata, 'imports' | 'providers'>;

/**
 * The dynamic module of a lib, with `forRoot` and `forRootAsync`: what `forRoot` is given in `imports`
 * and `providers` comes after the module's own, so a provider of the same token stands in for it.
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
