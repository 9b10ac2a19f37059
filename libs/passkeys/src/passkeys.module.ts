import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { ServiceKeyEntity, SweeperModule, SweeperService, expiredRows } from '#libs/platform';
import { CeremoniesController } from './ceremonies/ceremonies.controller.js';
import {
  FurtherCredentialService,
  NewAccountService,
  RegistrationOptionsService,
  RegistrationService,
} from './registration/registration.service.js';
import { LoginService } from './login/login.service.js';
import { ChallengeStore, InProcessChallengeStore } from './challenge/challenge.store.js';
import { ChallengesService } from './challenge/challenge.service.js';
import { SignInChallenges } from './challenge/sign-in-challenge.store.js';
import { TakenChallengeEntity } from './challenge/taken-challenge.entity.js';
import { buryOlder, CredentialsService } from './credential/credential.store.js';
import { PasskeyEndpointsController, PasskeysController } from './credential/passkey.controller.js';
import { PasskeysAdministrationModule } from './passkeys-administration.module.js';
import { ConfigurableModuleClass } from './passkeys.module-definition.js';

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
  controllers: [CeremoniesController, PasskeysController, PasskeyEndpointsController],
  providers: [
    ChallengesService,
    CredentialsService,
    FurtherCredentialService,
    LoginService,
    NewAccountService,
    RegistrationOptionsService,
    RegistrationService,
    { provide: SignInChallenges, useFactory: SignInChallenges.open, inject: [DataSource] },
    { provide: ChallengeStore, useFactory: () => new InProcessChallengeStore() },
  ],
  exports: [PasskeysAdministrationModule],
})
export class PasskeysModule extends ConfigurableModuleClass {
  constructor(sweeper: SweeperService) {
    super();
    sweeper.add(expiredRows(TakenChallengeEntity, 'challengeHash'), buryOlder);
  }
}
