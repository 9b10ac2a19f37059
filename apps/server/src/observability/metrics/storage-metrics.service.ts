import { Inject, Injectable, Optional } from '@nestjs/common';
import { Redis } from 'ioredis';
import type { Pool } from 'pg';
import { Gauge, Registry } from 'prom-client';
import { DataSource } from 'typeorm';

/** How busy the connections to the storages are, read when somebody asks. */
@Injectable()
export class StorageMetricsService {
  constructor(
    registry: Registry,
    dataSource: DataSource,
    @Optional() @Inject(Redis) redis: Redis | undefined,
  ) {
    if (dataSource.options.type === 'postgres') measurePool(registry, poolOf(dataSource));
    if (redis) measureRedis(registry, redis);
  }
}

function measurePool(registry: Registry, pool: Pool) {
  const gauge = new Gauge({
    name: 'gatehouse_database_connections',
    help: 'Connections of this replica to Postgres by state, and requests that wait for one',
    labelNames: ['state'],
    registers: [registry],
    collect: () => {
      gauge.set({ state: 'busy' }, pool.totalCount - pool.idleCount);
      gauge.set({ state: 'idle' }, pool.idleCount);
      gauge.set({ state: 'waiting' }, pool.waitingCount);
    },
  });
}

function measureRedis(registry: Registry, redis: Redis) {
  const gauge: Gauge = new Gauge({
    name: 'gatehouse_redis_connected',
    help: '1 while the connection for commands is ready',
    registers: [registry],
    collect: () => {
      gauge.set(redis.status === 'ready' ? 1 : 0);
    },
  });
}

/** TypeORM keeps node-postgres' pool in its driver, untyped. */
export const poolOf = (dataSource: DataSource) =>
  (dataSource.driver as unknown as { master: Pool }).master;
