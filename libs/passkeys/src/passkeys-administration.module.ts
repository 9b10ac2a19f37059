import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountsAdministrationModule } from '#libs/accounts';
import { AccountCredentialsService } from './credentials/account-credentials.service.js';
import { CredentialTombstoneEntity } from './credentials/credential-tombstone.entity.js';
import { CredentialEntity } from './credentials/credential.entity.js';

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
