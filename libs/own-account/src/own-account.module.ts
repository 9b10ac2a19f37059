import { Module } from '@nestjs/common';
import { ConfigurableModuleClass } from './own-account.module-definition.js';
import { PasskeyEndpointsController } from './passkeys/passkey-endpoints.controller.js';
import { PasskeysController } from './passkeys/passkeys.controller.js';
import { ProfileController } from './profile/profile.controller.js';
import { SessionsController } from './sessions/sessions.controller.js';

/**
 * What people do about their own account under `/svc/me`: their name, passkeys and sessions. It answers
 * for AccountsModule and PasskeysModule, which `forRoot({ imports })` has to bring.
 */
@Module({
  controllers: [
    ProfileController,
    PasskeysController,
    SessionsController,
    PasskeyEndpointsController,
  ],
})
export class OwnAccountModule extends ConfigurableModuleClass {}
