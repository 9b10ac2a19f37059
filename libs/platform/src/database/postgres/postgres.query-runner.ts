import type { QueryResult } from 'typeorm';
import { PostgresQueryRunner } from 'typeorm/driver/postgres/PostgresQueryRunner.js';
import { sqlSpan } from '../sql-span.js';
import { observed } from '../statement-listeners.js';

/** TypeORM's runner, which records its statements, including the wait for a connection. */
export class RecordedPostgresQueryRunner extends PostgresQueryRunner {
  override query(sql: string, parameters: unknown[], structured: true): Promise<QueryResult>;
  override query(sql: string, parameters?: unknown[], structured?: boolean): Promise<unknown>;
  override query(sql: string, parameters?: unknown[], structured?: boolean): Promise<unknown> {
    const work = () => super.query(sql, parameters, structured);
    return observed(this.connection, () => sqlSpan('postgres', sql), work);
  }
}
