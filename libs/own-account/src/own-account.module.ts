import { Module } from '@nestjs/common';
import { defineModule } from '#libs/platform';
import { ActivityController } from './activity/activity.controller.js';
import { PasskeyEndpointsController } from './passkeys/passkey-endpoints.controller.js';
import { PasskeysController } from './passkeys/passkeys.controller.js';
import { ProfileController } from './profile/profile.controller.js';
import { SessionsController } from './sessions/sessions.controller.js';

/**
 * What users can change in their own account under `/svc/me`: name, passkeys and sessions; also shows recent
 * activity. `forRoot` has to bring AccountsModule and PasskeysModule by `imports`, and to bind ActivityReader by
 * `providers`.
 */
@Module({
  controllers: [
    ProfileController,
    PasskeysController,
    SessionsController,
    ActivityController,
    PasskeyEndpointsController,
  ],
})
export class OwnAccountModule extends defineModule<object>('OwnAccount').ConfigurableModuleClass {}
