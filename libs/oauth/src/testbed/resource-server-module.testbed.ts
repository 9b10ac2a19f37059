import { type MiddlewareConsumer, Module, type Provider } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { accountsMigrations, SecurityEventsService, UserEntity } from '#libs/accounts';
import { AccountTurnsModule, ServiceKeyEntity, databaseMigrations } from '#libs/platform';
import { ClientBlockEntity } from '../clients/blocks/client-block.entity.js';
import { configureCors } from '../cors.middleware.js';
import { AccessTokensService } from '../token/access-tokens.service.js';
import { Arrivals } from '../token/token.store.js';
import { GrantEntity } from '../grant/grant.entity.js';
import { TokenEntity } from '../token/token.entity.js';
import { mcpControllers, mcpProviders } from '../mcp/mcp.providers.js';
import { oauthMigrations } from '../migrations/oauth-migrations.js';
import { OAUTH_OPTIONS } from '../oauth.module-definition.js';
import {
  protectedResourceControllers,
  protectedResourceProviders,
} from '../protected-resource/protected-resource.providers.js';

export const SCOPES = ['account:read', 'tabs:write', 'code:run'];

const options = {
  serviceName: 'Gatehouse',
  scopes: SCOPES.map((name) => ({ name, description: name })),
};

@Module({})
class TeamModule {}

/** The resource server with the test's tools; `replacements` may replace its providers. */
export function resourceServerModule(
  database: string,
  tools: readonly Provider[],
  replacements: readonly Provider[],
) {
  @Module({
    imports: [
      AccountTurnsModule,
      DiscoveryModule,
      { module: TeamModule, providers: [...tools] },
      TypeOrmModule.forRoot({
        type: 'sqlite',
        database,
        entities: [UserEntity, GrantEntity, TokenEntity, ClientBlockEntity, ServiceKeyEntity],
        migrations: [...databaseMigrations, ...accountsMigrations, ...oauthMigrations],
        migrationsRun: true,
      }),
    ],
    controllers: [...protectedResourceControllers, ...mcpControllers],
    providers: [
      ...protectedResourceProviders,
      ...mcpProviders,
      AccessTokensService,
      Arrivals,
      SecurityEventsService,
      { provide: OAUTH_OPTIONS, useValue: options },
      ...replacements,
    ],
  })
  class TestModule {
    configure(consumer: MiddlewareConsumer) {
      configureCors(consumer);
    }
  }
  return TestModule;
}
