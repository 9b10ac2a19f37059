import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { expiredRows, PreparedStatement } from '#libs/platform';
import { AssertionEntity } from './assertion.entity.js';

/** How long an assertion is kept after it expires, since the clock of another replica may be behind. */
const KEPT_MS = 60 * 60 * 1000;

const ACCEPT = new PreparedStatement(
  'accept-assertion',
  `INSERT INTO oauth_assertions (id_hash, expires_at) VALUES ($1, CAST($2 AS bigint))
   ON CONFLICT DO NOTHING`,
);

export const expiredAssertions = expiredRows(AssertionEntity, 'idHash');

/** Client assertions that were presented (RFC 7523 §3, `jti`), until they have expired on every replica. */
@Injectable()
export class AssertionStore {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Whether an assertion is presented for the first time. Of concurrent calls, on any replica,
   * exactly one returns true. `expiresAt` is in epoch milliseconds.
   */
  async accept(idHash: string, expiresAt: number): Promise<boolean> {
    const { affected } = await ACCEPT.run(this.dataSource, [
      idHash,
      Math.ceil(expiresAt) + KEPT_MS,
    ]);
    return affected === 1;
  }
}
