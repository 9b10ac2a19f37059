import { Inject, Injectable, Optional } from '@nestjs/common';
import { Redis } from 'ioredis';
import type { Pool } from 'pg';
import { DataSource } from 'typeorm';
import { type RefusedWrite, listenToStatements, refusedWrite } from '#libs/platform';
import { Counter, Gauge, Histogram, Registry, scrapedGauge } from '../prometheus.js';

const SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

const REASONS: readonly RefusedWrite[] = ['full', 'read-only', 'io'];

/** The load of the storages, their latencies, and the writes that they refuse. */
@Injectable()
export class StorageMetricsService {
  /** Samples the pool. Call this before a scrape, because the scrape's own statements would be counted. */
  readonly readPool: () => void = () => {};

  constructor(
    registry: Registry,
    dataSource: DataSource,
    @Optional() @Inject(Redis) redis: Redis | undefined,
  ) {
    if (dataSource.options.type === 'postgres') this.readPool = measurePool(registry, dataSource);
    const refusals = new Counter({
      name: 'gatehouse_refused_writes_total',
      help: 'Writes that a storage refused though it answers: it is full, read-only, or its disk fails (io)',
      labelNames: ['storage', 'reason'],
      registers: [registry],
    });
    const countIn = (storage: string, durations: Histogram) => {
      for (const reason of REASONS) refusals.inc({ storage, reason }, 0);
      return (seconds: number, error?: unknown) => {
        durations.observe(seconds);
        const reason = error === undefined ? undefined : refusedWrite(error);
        if (reason !== undefined) refusals.inc({ storage, reason });
      };
    };
    const statements = durationsOf(
      registry,
      'gatehouse_sql_duration_seconds',
      'Statements of SQL, the wait for a connection or lock included',
    );
    listenToStatements(dataSource, countIn('database', statements));
    if (!redis) return;
    scrapedGauge(
      registry,
      'gatehouse_redis_connected',
      '1 while the connection for commands is ready',
      () => (redis.status === 'ready' ? 1 : 0),
    );
    const commands = durationsOf(
      registry,
      'gatehouse_redis_duration_seconds',
      'Commands of Redis, from the call to the answer',
    );
    listenToStatements(redis, countIn('redis', commands));
  }
}

const durationsOf = (registry: Registry, name: string, help: string) =>
  new Histogram({ name, help, buckets: SECONDS, registers: [registry] });

function measurePool(registry: Registry, dataSource: DataSource) {
  const gauge = new Gauge({
    name: 'gatehouse_database_connections',
    help: 'Connections of this replica to Postgres by state, and requests that wait for one',
    labelNames: ['state'],
    registers: [registry],
  });
  return () => {
    if (!dataSource.isInitialized) return;
    for (const [state, count] of Object.entries(readPool(poolOf(dataSource)))) {
      gauge.set({ state }, count);
    }
  };
}

/**
 * Connections by state, and requests that wait for one. For one tick the pool also queues requests that an idle
 * connection then serves; those are not counted as waiting.
 */
export const readPool = ({ totalCount, idleCount, waitingCount }: Pool) => ({
  busy: totalCount - idleCount,
  idle: idleCount,
  waiting: Math.max(0, waitingCount - idleCount),
});

/** TypeORM keeps node-postgres' pool in its driver, untyped. */
export const poolOf = (dataSource: DataSource) =>
  (dataSource.driver as unknown as { master: Pool }).master;
