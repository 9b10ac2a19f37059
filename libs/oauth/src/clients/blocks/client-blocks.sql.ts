import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { PreparedStatement, runSql } from '#libs/database';
import { blocked } from './blocked.sql.js';
import { type BlockKind, ClientBlockEntity } from './client-block.entity.js';

const FIND = new PreparedStatement('client-block', `SELECT 1 WHERE ${blocked('$1', '$2')}`);

/**
 * Clients that are kept out for as long as somebody wants it so: by their id, or by the host that the
 * browser is sent back to, whoever the client says it is. What they were given stays and is not used up.
 */
@Injectable()
export class ClientBlocks {
  constructor(private readonly dataSource: DataSource) {}

  /** False when it is there already; of parallel calls one gets true. */
  async add(kind: BlockKind, value: string): Promise<boolean> {
    const { affected } = await runSql(
      this.dataSource,
      `INSERT INTO oauth_blocks (kind, value, created_at) VALUES ($1, $2, $3)
       ON CONFLICT (kind, value) DO NOTHING`,
      [kind, value, Date.now()],
    );
    return affected === 1;
  }

  /** False when there is none. */
  async remove(kind: BlockKind, value: string): Promise<boolean> {
    const removed = await this.dataSource.manager.delete(ClientBlockEntity, { kind, value });
    return removed.affected === 1;
  }

  async has(kind: BlockKind, value: string): Promise<boolean> {
    return this.dataSource.manager.existsBy(ClientBlockEntity, { kind, value });
  }

  /** Whether a client is kept out, or everybody who is redirected to a host. */
  async keepsOut(clientId: string, redirectHost: string | null): Promise<boolean> {
    const { rows } = await FIND.run(this.dataSource, [clientId, redirectHost]);
    return rows.length > 0;
  }
}
