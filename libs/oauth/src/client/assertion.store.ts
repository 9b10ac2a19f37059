import { Injectable } from '@nestjs/common';
import { Column, DataSource, Entity, type EntityManager, Index, PrimaryColumn } from 'typeorm';
import { PreparedStatement, expiredRows, wholeNumber } from '#libs/platform';

/** A presented assertion (RFC 7523 §3), of a client or a trusted issuer; the key refuses a second insert. */
@Entity('oauth_assertions')
export class AssertionEntity {
  @PrimaryColumn('varchar', { name: 'id_hash', length: 43 })
  idHash!: string;

  @Index('oauth_assertions_expires_at')
  @Column('bigint', { name: 'expires_at', transformer: wholeNumber })
  expiresAt!: number;
}

/** How long an assertion is kept after it expires, since the clock of another replica may be behind. */
const KEPT_MS = 60 * 60 * 1000;

const ACCEPT = new PreparedStatement<'idHash' | 'keptUntil'>(
  'accept-assertion',
  `INSERT INTO oauth_assertions (id_hash, expires_at) VALUES (:idHash, CAST(:keptUntil AS bigint))
   ON CONFLICT DO NOTHING`,
);

export const expiredAssertions = expiredRows(AssertionEntity, 'idHash');

/** Assertions that were presented, of clients and of trusted issuers (RFC 7523 §3, `jti`), until they have expired on every replica. */
@Injectable()
export class AssertionStore {
  constructor(private readonly dataSource: DataSource) {}

  /** Whether an assertion is new; one of concurrent calls gets true, in a transaction once it commits. */
  async accept(
    idHash: string,
    expiresAt: number,
    on: DataSource | EntityManager = this.dataSource,
  ): Promise<boolean> {
    const keptUntil = Math.ceil(expiresAt) + KEPT_MS;
    const { affected } = await ACCEPT.run(on, { idHash, keptUntil });
    return affected === 1;
  }

  /** Whether an assertion was accepted before; one that is accepted at this moment may be missed. */
  async has(idHash: string): Promise<boolean> {
    return this.dataSource.manager.existsBy(AssertionEntity, { idHash });
  }
}
