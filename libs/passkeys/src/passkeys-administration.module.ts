import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountsAdministrationModule } from '#libs/accounts';
import { AccountCredentialsService } from './credentials/account-credentials.service.js';
import { CredentialTombstoneEntity } from './credentials/credential-tombstone.entity.js';
import { CredentialEntity } from './credentials/credential.entity.js';

/** The passkeys of accounts for whoever runs the service; without routes it runs beside the service too. */
@Module({
  imports: [
    AccountsAdministrationModule,
    TypeOrmModule.forFeature([CredentialEntity, CredentialTombstoneEntity]),
  ],
  providers: [AccountCredentialsService],
  exports: [AccountCredentialsService],
})
export class PasskeysAdministrationModule {}
