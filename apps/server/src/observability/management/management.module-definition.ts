import { ConfigurableModuleBuilder, type ModuleMetadata } from '@nestjs/common';

export interface ManagementOptions {
  readonly host: string;
  /** 0 lets the system choose one. */
  readonly port: number;
}

/** `imports` brings the accounts module, whose events are counted. */
type ManagementExtras = Pick<ModuleMetadata, 'imports'>;

export const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN: MANAGEMENT_OPTIONS } =
  new ConfigurableModuleBuilder<ManagementOptions>({ moduleName: 'Management' })
    .setClassMethodName('forRoot')
    .setExtras<ManagementExtras>({}, (definition, { imports = [] }) => ({
      ...definition,
      imports: [...(definition.imports ?? []), ...imports],
    }))
    .build();
