import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountsAdministrationModule, UserDeletionService } from '#libs/accounts';
import { AssertionEntity } from './client/assertion.entity.js';
import { ClientBlockEntity } from './client/client-block.entity.js';
import { ClientBlockStore } from './client/client-block.store.js';
import { ClientCredentialsService } from './client/client-credentials.service.js';
import { ClientStore } from './client/client.store.js';
import { RegisteredClientEntity } from './client/registered-client.entity.js';
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

const services = [ClientBlockStore, ClientCredentialsService, ClientStore, GrantStore];

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
