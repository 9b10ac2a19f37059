import { defineModule } from '#libs/module-definition';

/** `imports` has to bring AccountsModule and PasskeysModule. */
export const { ConfigurableModuleClass } = defineModule<object>('OwnAccount');
