import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountsAdministrationModule, UserDeletionService } from '#libs/accounts';
import { ClientsDirectory } from './administration/clients-directory.sql.js';
import { GrantsDirectoryService } from './administration/grants-directory.service.js';
import { KeptClientsService } from './administration/kept-clients.service.js';
import { AssertionEntity } from './clients/assertion.entity.js';
import { ClientBlockEntity } from './clients/blocks/client-block.entity.js';
import { ClientBlocks } from './clients/blocks/client-blocks.sql.js';
import { RegisteredClientEntity } from './clients/registered-client.entity.js';
import { RegisteredClientsService } from './clients/registered-clients.service.js';
import { ConsentEntity } from './consent/consent.entity.js';
import { GrantEntity } from './grant/grant.entity.js';
import { GrantStore } from './grant/grant.store.js';
import { TokenEntity } from './token/token.entity.js';

const entities = [
  ClientBlockEntity,
  GrantEntity,
  TokenEntity,
  ConsentEntity,
  RegisteredClientEntity,
  AssertionEntity,
];

const services = [
  ClientBlocks,
  ClientsDirectory,
  GrantsDirectoryService,
  GrantStore,
  KeptClientsService,
  RegisteredClientsService,
];

/** Clients and grants for administrators; has no routes, so the CLI can run it beside the service. */
@Module({
  imports: [AccountsAdministrationModule, TypeOrmModule.forFeature(entities)],
  providers: services,
  exports: services,
})
export class OAuthAdministrationModule {
  /** Deletes unanswered consents with their account; foreign keys delete its grants and tokens. */
  constructor(deletions: UserDeletionService) {
    deletions.before(async (manager, userId) => {
      await manager.delete(ConsentEntity, { userId });
    });
  }
}
