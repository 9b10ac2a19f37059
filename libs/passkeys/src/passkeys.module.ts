import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { AccountsAdministrationModule } from '#libs/accounts';
import { ServiceKeyEntity, SweeperModule, SweeperService, expiredRows } from '#libs/platform';
import { ChallengesService } from './challenge/challenge.service.js';
import { ChallengeStore, InProcessChallengeStore } from './challenge/challenge.store.js';
import { TakenChallengeEntity } from './challenge/sign-in-challenge.store.js';
import { ConfirmationsService } from './confirmation/confirmation.service.js';
import { CredentialEntity, CredentialTombstoneEntity } from './credential/credential.entity.js';
import { CredentialStore, moveOlderTombstones } from './credential/credential.store.js';
import { PasskeyEndpointsController, PasskeysController } from './credential/passkey.controller.js';
import { CredentialsService } from './credential/credential.service.js';
import { ConfigurableModuleClass } from './passkeys.module-definition.js';
import { LoginController } from './login/login.controller.js';
import { PasskeyRegistrationController } from './registration/registration.controller.js';
import { RegistrationService } from './registration/registration.service.js';

/** Passkeys of accounts for administrators; has no routes, so a process beside the service can use it too. */
@Module({
  imports: [
    AccountsAdministrationModule,
    TypeOrmModule.forFeature([CredentialEntity, CredentialTombstoneEntity]),
  ],
  providers: [CredentialStore, CredentialsService],
  exports: [CredentialStore, CredentialsService],
})
export class PasskeysAdministrationModule {}

/**
 * Registration and authentication with passkeys (WebAuthn L3) for the users of AccountsModule, which `imports` of
 * `forRoot` has to bring. The data source needs `passkeysMigrations` after those of accounts, and
 * `databaseMigrations`, for the key that proves sign-in challenges.
 */
@Module({
  imports: [
    PasskeysAdministrationModule,
    SweeperModule,
    TypeOrmModule.forFeature([ServiceKeyEntity, TakenChallengeEntity]),
  ],
  controllers: [
    LoginController,
    PasskeyRegistrationController,
    PasskeysController,
    PasskeyEndpointsController,
  ],
  providers: [
    ConfirmationsService,
    RegistrationService,
    {
      provide: ChallengesService,
      useFactory: ChallengesService.open,
      inject: [DataSource, ChallengeStore],
    },
    { provide: ChallengeStore, useFactory: () => new InProcessChallengeStore() },
  ],
  exports: [PasskeysAdministrationModule, ConfirmationsService],
})
export class PasskeysModule extends ConfigurableModuleClass {
  constructor(sweeper: SweeperService) {
    super();
    sweeper.add(expiredRows(TakenChallengeEntity, 'challengeHash'), moveOlderTombstones);
  }
}
