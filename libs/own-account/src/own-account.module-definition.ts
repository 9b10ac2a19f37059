import { defineModule } from '#libs/module-definition';

/** `imports` has to bring AccountsModule and PasskeysModule, `providers` to bind ActivityReader. */
export const { ConfigurableModuleClass } = defineModule<object>('OwnAccount');
