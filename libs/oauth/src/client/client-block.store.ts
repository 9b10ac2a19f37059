import { Injectable } from '@nestjs/common';
import { Column, DataSource, Entity, PrimaryColumn } from 'typeorm';
import {
  type Dialect,
  type PageRequest,
  PreparedStatement,
  unknownPage,
  pageOf,
  wholeNumber,
} from '#libs/platform';

type BlockKind = 'client' | 'redirect-host';

/** Blocks one client by its id, or all clients with a redirect URI of a host. */
@Entity('oauth_blocks')
export class ClientBlockEntity {
  @PrimaryColumn('varchar', { length: 16 })
  kind!: BlockKind;

  @PrimaryColumn('varchar', { length: 512 })
  value!: string;

  @Column('bigint', { name: 'created_at', transformer: wholeNumber })
  createdAt!: number;
}

/** SQL: whether a client is blocked by its id. */
export const idBlocked = (clientId: string) =>
  `EXISTS (SELECT 1 FROM oauth_blocks WHERE kind = 'client' AND value = ${clientId})`;

/** SQL: whether a client is blocked, by its id or by one of its redirect hosts, a JSON array of texts. */
export const blocked = (clientId: string, redirectHosts: string, { listed }: Dialect) => `(
  ${idBlocked(clientId)} OR EXISTS (
    SELECT 1 FROM ${listed(redirectHosts)}
    JOIN oauth_blocks b ON b.kind = 'redirect-host' AND b.value = listed.value))`;

/** SQL: whether the client of a grant `g` is blocked, also by the host that its user was sent to at the time. */
export const grantBlocked = (dialect: Dialect) => `(
  ${blocked('g.client_id', 'g.client_hosts', dialect)} OR EXISTS (
    SELECT 1 FROM oauth_blocks WHERE kind = 'redirect-host' AND value = g.redirect_host))`;

const FIND = new PreparedStatement<'clientId' | 'redirectHosts'>(
  'client-block',
  (dialect) => `SELECT 1 WHERE ${blocked(':clientId', ':redirectHosts', dialect)}`,
);

const ADD = new PreparedStatement<'kind' | 'value' | 'createdAt'>(
  'add-block',
  `INSERT INTO oauth_blocks (kind, value, created_at) VALUES (:kind, :value, :createdAt)
   ON CONFLICT (kind, value) DO NOTHING`,
);

/**
 * Clients that are blocked until an administrator unblocks them: by id, or by one of the hosts that they may redirect
 * the browser to, whatever the client's id. Their grants and tokens stay and are not used up.
 */
@Injectable()
export class ClientBlockStore {
  constructor(private readonly dataSource: DataSource) {}

  /** False when the block exists already; of parallel calls one returns true. */
  async add(kind: BlockKind, value: string): Promise<boolean> {
    const { affected } = await ADD.run(this.dataSource, { kind, value, createdAt: Date.now() });
    return affected === 1;
  }

  async remove(kind: BlockKind, value: string): Promise<boolean> {
    const removed = await this.dataSource.manager.delete(ClientBlockEntity, { kind, value });
    return removed.affected === 1;
  }

  /** Redirect hosts, the last blocked one first; the host is the id. @throws NotFoundException */
  async listHosts({ limit, after }: PageRequest) {
    const query = this.dataSource
      .createQueryBuilder(ClientBlockEntity, 'block')
      .where(`block.kind = 'redirect-host'`)
      .orderBy('block.createdAt', 'DESC')
      .addOrderBy('block.value', 'DESC')
      .limit(limit + 1);
    if (after !== undefined) {
      const last = { kind: 'redirect-host', value: after } as const;
      const from = await this.dataSource.manager.findOneBy(ClientBlockEntity, last);
      if (!from) throw unknownPage();
      const { createdAt: at } = from;
      query.andWhere('block.createdAt <= :at', { at });
      query.andWhere('(block.createdAt < :at OR block.value < :after)', { at, after });
    }
    const hosts = (await query.getMany()).map(({ value: id, createdAt: blockedAt }) => ({
      id,
      redirectHost: id,
      blockedAt,
    }));
    return pageOf(hosts, limit);
  }

  /** All blocked redirect hosts. Unpaged: only administrators add them. */
  async allHosts(): Promise<ReadonlySet<string>> {
    const kind = 'redirect-host' as const;
    const blocks = await this.dataSource.manager.findBy(ClientBlockEntity, { kind });
    return new Set(blocks.map(({ value }) => value));
  }

  async isBlocked(clientId: string, redirectHosts: readonly string[]): Promise<boolean> {
    const asked = { clientId, redirectHosts: JSON.stringify(redirectHosts) };
    const { rows } = await FIND.run(this.dataSource, asked);
    return rows.length > 0;
  }
}
