import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountsAdministrationModule } from '#libs/accounts';
import { GrantsDirectoryService } from './administration/grants-directory.service.js';
import { AssertionEntity } from './client/assertion.entity.js';
import { ClientBlockEntity } from './client/client-block.entity.js';
import { ClientBlockStore } from './client/client-block.store.js';
import { ClientCredentialsService } from './client/client-credentials.service.js';
import { ClientStore } from './client/client.store.js';
import { RegisteredClientEntity } from './client/registered-client.entity.js';
import { ConsentFarewellService } from './consents/consent-farewell.service.js';
import { ConsentEntity } from './consents/consent.entity.js';
import { GrantEntity } from './grants/grant.entity.js';
import { GrantsService } from './grants/grants.service.js';
import { TokenEntity } from './grants/token.entity.js';

const entities = [
  ClientBlockEntity,
  GrantEntity,
  TokenEntity,
  ConsentEntity,
  RegisteredClientEntity,
  AssertionEntity,
];

const services = [
  ClientBlockStore,
  ClientCredentialsService,
  ClientStore,
  GrantsDirectoryService,
  GrantsService,
];

/** Clients and grants for administrators; has no routes, so the CLI can run it beside the service. */
@Module({
  imports: [AccountsAdministrationModule, TypeOrmModule.forFeature(entities)],
  providers: [...services, ConsentFarewellService],
  exports: services,
})
export class OAuthAdministrationModule {}
