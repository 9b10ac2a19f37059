import { mkdtemp, rm } from 'node:fs/promises';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type MiddlewareConsumer, Module, type Provider } from '@nestjs/common';
import { DiscoveryModule, NestFactory } from '@nestjs/core';
import { ExpressAdapter, type NestExpressApplication } from '@nestjs/platform-express';
import { TypeOrmModule } from '@nestjs/typeorm';
import express from 'express';
import { DataSource } from 'typeorm';
import {
  accountsMigrations,
  hashSecret,
  ownOriginMiddleware,
  SecurityEventsService,
  UserEntity,
} from '#libs/accounts';
import { configureCors } from '../cors/cors-routes.middleware.js';
import { AccessTokensService } from '../grants/access-tokens.service.js';
import { ClientBlockEntity } from '../clients/blocks/client-block.entity.js';
import { GrantEntity } from '../grants/grant.entity.js';
import { resourceOf } from '../grants/grant.js';
import { Arrivals } from '../grants/arrivals.sql.js';
import { TokenEntity } from '../grants/token.entity.js';
import { mcpControllers, mcpProviders } from '../mcp/mcp.providers.js';
import { oauthMigrations } from '../migrations/oauth-migrations.js';
import { OAUTH_OPTIONS } from '../oauth.module-definition.js';
import {
  protectedResourceControllers,
  protectedResourceProviders,
} from '../protected-resource/protected-resource.providers.js';
import { bearer, tokenOf } from './bearer.testbed.js';
import { TestbedErrorFilter } from './testbed-error.filter.js';

export const SCOPES = ['account:read', 'tabs:write', 'code:run'];

const HOUR = 3_600_000;

const options = {
  serviceName: 'Gatehouse',
  scopes: SCOPES.map((name) => ({ name, description: name })),
};

/** The resource server alone, on a SQLite file and a port of its own, with tools of the test's. */
export class ResourceServer {
  private constructor(
    private readonly app: NestExpressApplication,
    private readonly folder: string,
    readonly origin: string,
    readonly dataSource: DataSource,
  ) {}

  static async start(...tools: Provider[]): Promise<ResourceServer> {
    const folder = await mkdtemp(join(tmpdir(), 'resource-server-'));
    const adapter = new ExpressAdapter(strictExpress());
    const app = await NestFactory.create<NestExpressApplication>(
      testModule(join(folder, 'test.sqlite'), tools),
      adapter,
      {
        logger: false,
        bodyParser: false,
        abortOnError: false,
        routeConflictPolicy: { duplicate: 'error' },
      },
    );
    app.useGlobalFilters(new TestbedErrorFilter());
    const server = await listen(app);
    const { port } = server.address() as AddressInfo;
    const dataSource = app.get(DataSource);
    for (const displayName of ['Ann', 'Bob']) {
      const id = displayName.toLowerCase();
      await dataSource.manager.insert(UserEntity, { id, displayName, createdAt: 0 });
    }
    return new ResourceServer(app, folder, `http://127.0.0.1:${port}`, dataSource);
  }

  async close() {
    await this.app.close();
    await rm(this.folder, { recursive: true });
  }

  /** Puts an access token there, which requests may go by the name of; by default one of Ann's (there is Bob too) that is good for every scope. */
  async give(
    token: string,
    {
      userId = 'ann',
      scope = SCOPES.join(' '),
      aud = resourceOf(this.origin),
      expiresIn = HOUR,
      grantExpiresIn = HOUR,
      revoked = false,
    } = {},
  ) {
    const now = Date.now();
    const times = { createdAt: now, expiresAt: now + grantExpiresIn };
    await this.dataSource.manager.insert(GrantEntity, {
      ...times,
      id: `grant-of-${token}`,
      userId,
      clientId: 'client',
      origin: this.origin,
      scope,
      app: 'Robot',
      lastUsedAt: now,
      revokedAt: revoked ? now : null,
    });
    await this.dataSource.manager.insert(TokenEntity, {
      ...times,
      idHash: hashSecret(tokenOf(token)),
      kind: 'AccessToken',
      grantId: `grant-of-${token}`,
      generation: 0,
      payload: { aud, scope },
      expiresAt: now + expiresIn,
    });
    return token;
  }

  fetch(path: string, init?: RequestInit) {
    return fetch(this.origin + path, init);
  }

  /** Posts a message as a 2025 client does; a string goes out as it is. */
  post(
    token: string,
    message: unknown,
    headers: Record<string, string> = {},
    signal: AbortSignal | null = null,
  ) {
    return this.fetch('/svc/mcp', {
      method: 'POST',
      signal,
      body: typeof message === 'string' ? message : JSON.stringify(message),
      headers: {
        Authorization: bearer(token),
        Accept: 'application/json, text/event-stream',
        'Content-Type': 'application/json',
        ...headers,
      },
    });
  }
}

/** An application that does not start leaves nothing open behind. */
async function listen(app: NestExpressApplication): Promise<Server> {
  try {
    return await app.listen(0, '127.0.0.1');
  } catch (error) {
    await app.get(DataSource).destroy();
    throw error;
  }
}

function strictExpress() {
  const server = express();
  server.enable('strict routing');
  server.enable('case sensitive routing');
  server.use((_request, response, next) => {
    response.set('Cache-Control', 'no-store');
    next();
  }, ownOriginMiddleware());
  return server;
}

@Module({})
class TeamModule {}

function testModule(database: string, tools: Provider[]) {
  @Module({
    imports: [
      DiscoveryModule,
      { module: TeamModule, providers: tools },
      TypeOrmModule.forRoot({
        type: 'sqlite',
        database,
        entities: [UserEntity, GrantEntity, TokenEntity, ClientBlockEntity],
        migrations: [...accountsMigrations, ...oauthMigrations],
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
    ],
  })
  class TestModule {
    configure(consumer: MiddlewareConsumer) {
      configureCors(consumer);
    }
  }
  return TestModule;
}
