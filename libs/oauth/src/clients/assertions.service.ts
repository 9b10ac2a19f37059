import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { runSql } from '../grants/structured-query.sql.js';

/** Client assertions that were presented (RFC 7523 §3, `jti`), until they expire. */
@Injectable()
export class AssertionsService {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Whether an assertion is presented for the first time; of concurrent calls, on any replica,
   * exactly one gets true. `expiresAt` is in epoch milliseconds.
   */
  async accept(idHash: string, expiresAt: number): Promise<boolean> {
    const { affected } = await runSql(
      this.dataSource,
      `INSERT INTO oauth_assertions (id_hash, expires_at) VALUES ($1, CAST($2 AS bigint))
       ON CONFLICT DO NOTHING`,
      [idHash, Math.ceil(expiresAt)],
    );
    return affected === 1;
  }
}
