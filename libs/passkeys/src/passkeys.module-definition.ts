import { ConfigurableModuleBuilder, type ModuleMetadata } from '@nestjs/common';

export interface PasskeysOptions {
  /** Shown by authenticators next to the account. */
  readonly relyingPartyName: string;
}

/** `imports` has to bring AccountsModule; `providers` may replace a default such as ChallengeStore. */
type PasskeysExtras = Pick<ModuleMetadata, 'imports' | 'providers'>;

export const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN: PASSKEYS_OPTIONS } =
  new ConfigurableModuleBuilder<PasskeysOptions>({ moduleName: 'Passkeys' })
    .setClassMethodName('forRoot')
    .setExtras<PasskeysExtras>({}, (definition, { imports = [], providers = [] }) => ({
      ...definition,
      imports: [...(definition.imports ?? []), ...imports],
      providers: [...(definition.providers ?? []), ...providers],
    }))
    .build();
