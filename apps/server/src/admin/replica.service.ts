import { Inject, Injectable, Optional } from '@nestjs/common';
import { ModuleRef, ModulesContainer } from '@nestjs/core';
import { Redis } from 'ioredis';
import { DataSource } from 'typeorm';
import { LoadShedder } from '#libs/platform';
import { TabConnectionsService } from '#libs/tab-hub';
import { readServiceVersion } from '../config/service-version.js';
import { poolOf, readPool } from '../observability/metrics/storage-metrics.service.js';
import { ADMIN_API_OPTIONS, type AdminApiOptions } from './admin-api.module-definition.js';

const modulesIn = (container: ModulesContainer): string[] => {
  const names = [...container.values()].map(({ metatype }) => metatype.name);
  return [...new Set(names)].toSorted();
};

function adaptersIn(container: ModulesContainer): Record<string, string> {
  const found = [...container.values()].flatMap(({ providers }) =>
    [...providers.values()].flatMap(({ token, instance }) => adapterOf(token, instance) ?? []),
  );
  return Object.fromEntries(found.toSorted(([one], [other]) => one.localeCompare(other)));
}

function adapterOf(token: unknown, instance: unknown): [[string, string]] | undefined {
  if (!isClass(token) || !(instance instanceof token)) return undefined;
  const { name } = instance.constructor;
  return name === '' || name === token.name ? undefined : [[token.name, name]];
}

/** Any function may be an injection token, and `instanceof` throws for a function without a prototype. */
const isClass = (token: unknown): token is abstract new (...parameters: never[]) => object =>
  typeof token === 'function' && Object(token.prototype) === token.prototype;

function databaseNow(dataSource: DataSource) {
  const { type } = dataSource.options;
  if (type !== 'postgres') return { type, connections: null };
  const pool = poolOf(dataSource);
  return { type, connections: { ...readPool(pool), most: pool.options.max } };
}

function redisNow(redis: Redis | undefined) {
  if (!redis) return null;
  const { commandQueue } = redis as unknown as { commandQueue: { readonly length: number } };
  return { status: redis.status, unanswered: commandQueue.length };
}

const BUSIEST = 20;

@Injectable()
export class ReplicaService {
  private readonly version = readServiceVersion();

  constructor(
    @Inject(ADMIN_API_OPTIONS) private readonly options: AdminApiOptions,
    private readonly modules: ModuleRef,
    private readonly container: ModulesContainer,
    private readonly dataSource: DataSource,
    @Optional() @Inject(Redis) private readonly redis: Redis | undefined,
  ) {}

  show() {
    const { rss, heapUsed, heapTotal, external } = process.memoryUsage();
    return {
      version: this.version,
      node: process.version,
      startedAt: new Date(Date.now() - process.uptime() * 1000).toISOString(),
      variables: this.options.variables,
      modules: modulesIn(this.container),
      adapters: adaptersIn(this.container),
      load: this.load(),
      memory: {
        rssBytes: rss,
        heapUsedBytes: heapUsed,
        heapTotalBytes: heapTotal,
        externalBytes: external,
      },
      database: databaseNow(this.dataSource),
      redis: redisNow(this.redis),
      hub: this.hub(),
    };
  }

  private load() {
    const load = this.modules.get(LoadShedder, { strict: false });
    return {
      requestsAtWork: load.atWork,
      bodyBytes: load.bodies.bytes,
      loopLagMs: Math.round(load.lag.ms),
      refused: load.refused,
    };
  }

  private hub() {
    const tabs = this.modules.get(TabConnectionsService, { strict: false });
    const accounts = [...tabs.countByAccount()];
    const busiest = accounts
      .toSorted(([, one], [, other]) => other - one)
      .slice(0, BUSIEST)
      .map(([user, count]) => ({ user, tabs: count }));
    return { tabs: tabs.all.size, accounts: accounts.length, busiest };
  }
}
