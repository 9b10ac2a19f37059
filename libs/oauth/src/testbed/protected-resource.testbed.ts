import { type MiddlewareConsumer, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { accountsMigrations, hashSecret, SecurityEventsService, UserEntity } from '#libs/accounts';
import { AccountTurnsModule, ServiceKeyEntity, databaseMigrations } from '#libs/platform';
import { AccessDecisionsService } from '../access-policy/access-decision.service.js';
import { ApprovalEntity } from '../approval/approval.entity.js';
import { ApprovalMeter } from '../approval/approval-meter.js';
import { ApprovalPasskeys } from '../approval/approval-passkeys.js';
import { ApprovalService } from '../approval/approval.service.js';
import { ApprovalSignals, InProcessApprovalSignals } from '../approval/approval-signals.js';
import { ApprovalStore } from '../approval/approval.store.js';
import { ClientBlockEntity } from '../client/client-block.store.js';
import { cors } from '../cors.middleware.js';
import { ConnectionStore } from '../grant/connection.store.js';
import { GrantEntity } from '../grant/grant.entity.js';
import { GrantStore } from '../grant/grant.store.js';
import { MetadataController } from '../metadata/metadata.controller.js';
import { oauthMigrations } from '../migrations/oauth-migrations.js';
import { OAUTH_OPTIONS } from '../oauth.module-definition.js';
import { protectedResourceProviders } from '../protected-resource/bearer.guard.js';
import { resourceOf, ResourcesService } from '../resource/resource.js';
import { SigningKeysService } from '../signing/signing-keys.service.js';
import { BearerTokensService } from '../token/bearer-tokens.service.js';
import { TokenEntity } from '../token/token.entity.js';

const HOUR = 3_600_000;

export const SCOPES = ['account:read', 'tabs:write', 'code:run'];

const options = {
  serviceName: 'Gatehouse',
  scopes: SCOPES.map((name) => ({ name, description: name })),
};

/** What modules with BearerGuard import, on a SQLite file of its own. */
export function protectedResourceModule(database: string) {
  @Module({
    imports: [
      AccountTurnsModule,
      DiscoveryModule,
      TypeOrmModule.forRoot({
        type: 'sqlite',
        database,
        entities: [
          UserEntity,
          ApprovalEntity,
          GrantEntity,
          TokenEntity,
          ClientBlockEntity,
          ServiceKeyEntity,
        ],
        migrations: [...databaseMigrations, ...accountsMigrations, ...oauthMigrations],
        migrationsRun: true,
      }),
    ],
    controllers: [MetadataController],
    providers: [
      ...protectedResourceProviders,
      { provide: AccessDecisionsService, useValue: {} },
      ApprovalMeter,
      ApprovalService,
      ApprovalStore,
      { provide: ApprovalSignals, useClass: InProcessApprovalSignals },
      { provide: ApprovalPasskeys, useValue: {} },
      ConnectionStore,
      GrantStore,
      SecurityEventsService,
      { provide: SigningKeysService, useFactory: () => new SigningKeysService({}) },
      { provide: OAUTH_OPTIONS, useValue: options },
    ],
    exports: [
      ApprovalService,
      BearerTokensService,
      AccountTurnsModule,
      GrantStore,
      OAUTH_OPTIONS,
      ResourcesService,
      SecurityEventsService,
    ],
  })
  class ProtectedResourceModule {
    configure(consumer: MiddlewareConsumer) {
      consumer.apply(cors()).forRoutes('{*path}');
    }
  }
  return ProtectedResourceModule;
}

/** A token of our form derived from a name; a name that is too long or no valid token stays as it is. */
const tokenOf = (name: string) => (/^[a-z0-9-]+$/i.test(name) ? name.padEnd(43, '_') : name);

/** The `Authorization` value with such a token. */
export const bearer = (name: string) => `Bearer ${tokenOf(name)}`;

/** Stores an access token under a name that {@link bearer} takes; by default a token of Ann with every scope. */
export async function giveToken(
  { manager }: DataSource,
  origin: string,
  token: string,
  {
    userId = 'ann',
    scope = SCOPES.join(' '),
    aud = resourceOf(origin),
    expiresIn = HOUR,
    grantExpiresIn = HOUR,
    revoked = false,
    mayAsk = false,
    permissions = null as string | null,
  } = {},
): Promise<string> {
  const now = Date.now();
  const times = { createdAt: now, expiresAt: now + grantExpiresIn };
  await manager.insert(GrantEntity, {
    ...times,
    id: `grant-of-${token}`,
    userId,
    clientId: 'client',
    origin,
    scope,
    permissions,
    mayAsk,
    app: 'Robot',
    lastUsedAt: now,
    revokedAt: revoked ? now : null,
  });
  await manager.insert(TokenEntity, {
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
