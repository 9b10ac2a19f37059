import type { Pool } from 'pg';
import { DataSource } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import type { PostgresOptions } from './postgres.options.js';
import { RecordedPostgresQueryRunner } from './postgres.query-runner.js';

/** Only the start waits for the first connection, on a machine that may be starting other processes too. */
const FIRST_CONNECT_MS = 10_000;

/** A pool whose first connection may take longer than `connectTimeoutMS`, which applies to all later ones. */
export class PostgresDataSource extends DataSource {
  private readonly connectMs: number | undefined;

  constructor(options: PostgresOptions) {
    super({ ...options, connectTimeoutMS: FIRST_CONNECT_MS });
    this.connectMs = options.connectTimeoutMS;
    const driver = this.driver as PostgresDriver;
    driver.createQueryRunner = (mode) => new RecordedPostgresQueryRunner(driver, mode);
  }

  override async initialize(): Promise<this> {
    await super.initialize();
    const pool = (this.driver as PostgresDriver).master as Pool;
    pool.options.connectionTimeoutMillis = this.connectMs;
    return this;
  }
}
