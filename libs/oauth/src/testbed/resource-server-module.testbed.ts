import { type MiddlewareConsumer, Module, type Provider } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { accountsMigrations, SecurityEventsService, UserEntity } from '#libs/accounts';
import { AccountTurnsModule, ServiceKeyEntity, databaseMigrations } from '#libs/platform';
import { ClientBlockEntity } from '../client/client-block.entity.js';
import { configureCors } from '../cors.middleware.js';
import { GrantEntity } from '../grant/grant.entity.js';
import { GrantStore } from '../grant/grant.store.js';
import { mcpControllers, mcpProviders } from '../mcp/mcp.providers.js';
import { MetadataController } from '../metadata/metadata.controller.js';
import { oauthMigrations } from '../migrations/oauth-migrations.js';
import { OAUTH_OPTIONS } from '../oauth.module-definition.js';
import { protectedResourceProviders } from '../protected-resource/bearer.guard.js';
import { TokenEntity } from '../token/token.entity.js';

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
    controllers: [MetadataController, ...mcpControllers],
    providers: [
      ...protectedResourceProviders,
      ...mcpProviders,
      GrantStore,
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
