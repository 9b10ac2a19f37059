import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountsAdministrationModule } from '#libs/accounts';
import { AccountCredentialsService } from './credential/passkey.service.js';
import { CredentialTombstoneEntity } from './credential/credential-tombstone.entity.js';
import { CredentialEntity } from './credential/credential.entity.js';

/** Passkeys of accounts for administrators; has no routes, so a process beside the service can use it too. */
@Module({
  imports: [
    AccountsAdministrationModule,
    TypeOrmModule.forFeature([CredentialEntity, CredentialTombstoneEntity]),
  ],
  providers: [AccountCredentialsService],
  exports: [AccountCredentialsService],
})
export class PasskeysAdministrationModule {}
