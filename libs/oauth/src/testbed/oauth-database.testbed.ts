import { randomUUID } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { accountsMigrations, UserEntity } from '#libs/accounts';
import { databaseMigrations, ServiceKeyEntity } from '#libs/platform';
import { describeOnDatabases, describeOnPostgres, type OnReplicas } from '#libs/platform/testing';
import { ApprovalEntity } from '../approval/approval.entity.js';
import { AssertionEntity } from '../client/assertion.store.js';
import { ClientBlockEntity } from '../client/client-block.store.js';
import { RegisteredClientEntity } from '../client/client.store.js';
import { ConsentEntity } from '../consent/consent.store.js';
import { GrantEntity } from '../grant/grant.entity.js';
import { CODE_LIFETIME_MS } from '../grant/grant.js';
import { MachineTokenEntity } from '../machine/machine-token.store.js';
import { oauthMigrations } from '../migrations/oauth-migrations.js';
import { TokenEntity } from '../token/token.entity.js';

export const ORIGIN = 'http://localhost';

const schema = {
  entities: [
    UserEntity,
    ApprovalEntity,
    RegisteredClientEntity,
    AssertionEntity,
    GrantEntity,
    TokenEntity,
    ClientBlockEntity,
    ConsentEntity,
    MachineTokenEntity,
    ServiceKeyEntity,
  ],
  migrations: [...databaseMigrations, ...accountsMigrations, ...oauthMigrations],
};

/** Runs a suite on SQLite and, where it is installed, on Postgres. */
export const describeOAuthOnDatabases = (title: string, body: OnReplicas) =>
  describeOnDatabases(title, schema, body);

export const describeOAuthOnPostgres = (title: string, body: OnReplicas) =>
  describeOnPostgres(title, schema, body);

/** A new grant of a new user; returns its id. */
export async function beginGrant(dataSource: DataSource): Promise<string> {
  const userId = randomUUID();
  await dataSource.manager.insert(UserEntity, { id: userId, displayName: 'Ann', createdAt: 0 });
  const names = { userId, clientId: 'app', app: 'App', redirectHost: null, published: null };
  const grant = { ...names, origin: ORIGIN, scope: 'account:read' };
  const [id, now] = [randomUUID(), Date.now()];
  const times = { createdAt: now, lastUsedAt: now, expiresAt: now + CODE_LIFETIME_MS };
  await dataSource.manager.insert(GrantEntity, { id, ...grant, ...times });
  return id;
}
