import { Injectable } from '@nestjs/common';
import { RefusalError } from '#libs/accounts';
import { epochSeconds, refusedLater, Semaphore, whileWaiting } from '#libs/platform';
import type { GrantEntity } from '../grant/grant.entity.js';
import { resourceOfGrant } from '../grant/grant.js';
import { GrantStore } from '../grant/grant.store.js';
import { pausedBy, permissionsOf } from '../grant/permission.js';
import { type Resource, ResourcesService } from '../resource/resource.js';
import { scopeNames } from '../scope.js';
import { type Connection, permissionOf } from './connection.js';
import { type CallsSummary, ConnectionCalls } from './connection-calls.js';
import { ConnectionUsage } from './connection-usage.js';

export const noSuchConnection = () =>
  new RefusalError(404, 'no such connection; it may have ended already');

const tooManyReads = () =>
  new RefusalError(503, 'too many lists of calls are read at once; try again in a second', {
    'Retry-After': '1',
  });

/** Connections as their person sees them, with what they did and used. */
@Injectable()
export class ConnectionReaderService {
  /** Sums of an account's calls at once take as much of the database as one, and those of all as two. */
  private readonly summing = new Semaphore({ perKey: 1, inAll: 2, maxWaitingPerKey: 32 });

  constructor(
    readonly grants: GrantStore,
    private readonly resources: ResourcesService,
    private readonly usage: ConnectionUsage,
    readonly calls: ConnectionCalls,
  ) {}

  /** Newest first, 100 at most. */
  async list(userId: string): Promise<Connection[]> {
    return this.describe(await this.grants.listOf(userId));
  }

  /** An active one of the account. */
  async find(userId: string, id: string): Promise<GrantEntity | undefined> {
    const grant = await this.grants.findActive(id);
    return grant?.userId === userId ? grant : undefined;
  }

  /** @throws RefusalError 404 */
  async get(userId: string, id: string): Promise<GrantEntity> {
    const grant = await this.find(userId, id);
    if (!grant) throw noSuchConnection();
    return grant;
  }

  async describeOne(grant: GrantEntity, summary?: CallsSummary): Promise<Connection> {
    const [connection] = await this.describe([grant], summary);
    if (!connection) throw noSuchConnection();
    return connection;
  }

  /** One that was just changed: its answer does not fail for want of a turn to sum, since the change is saved. */
  async describeChanged(grant: GrantEntity): Promise<Connection> {
    const summing = this.sum(grant.userId, (from) => from.summary([grant.id]));
    return this.describeOne(grant, await summing.catch((): CallsSummary => new Map()));
  }

  /** What reads all calls of a month, or more, of a connection of this account. @throws RefusalError 503 */
  async sum<T>(userId: string, read: (calls: ConnectionCalls) => Promise<T>): Promise<T> {
    const begin = async () => (await this.summing.acquire(userId)) || refusedLater();
    if (!(await whileWaiting(begin))) throw tooManyReads();
    try {
      return await read(this.calls);
    } finally {
      this.summing.release(userId);
    }
  }

  /** Undefined for one that is not configured any more. */
  resourceOf(grant: GrantEntity): Resource | undefined {
    return this.resources.find(grant.origin, resourceOfGrant(grant));
  }

  private async describe(
    grants: readonly GrantEntity[],
    summary?: CallsSummary,
  ): Promise<Connection[]> {
    const [one] = grants;
    if (!one) return [];
    const ids = grants.map(({ id }) => id);
    const [used, calls] = await Promise.all([
      // People pause and narrow also while it cannot be read.
      this.usage.usedToday(ids).catch(() => undefined),
      summary ?? this.sum(one.userId, (from) => from.summary(ids)),
    ]);
    return grants.map((grant) => {
      const { id, dailyCredits, endsAt, lastUsedAt } = grant;
      const resource = this.resourceOf(grant);
      const scopes = resource ? scopeNames(resource.scopes) : [...permissionsOf(grant).keys()];
      return {
        id,
        app: grant.app || grant.clientId,
        redirectHost: grant.redirectHost,
        published: grant.published,
        resource: resourceOfGrant(grant),
        resourceName: resource?.name ?? resourceOfGrant(grant),
        managedBy: grant.managedBy,
        permissions: Object.fromEntries(scopes.map((name) => [name, permissionOf(grant, name)])),
        mayAsk: grant.mayAsk,
        paused: pausedBy(grant) !== null,
        pausedBy: pausedBy(grant),
        dailyCredits,
        usedToday: used ? (used.get(id) ?? 0) : null,
        endsAt: endsAt === null ? null : epochSeconds(endsAt),
        createdAt: epochSeconds(grant.createdAt),
        lastUsedAt: epochSeconds(Math.max(lastUsedAt, calls.get(id)?.lastAt ?? 0)),
        expiresAt: epochSeconds(grant.expiresAt),
      };
    });
  }
}
