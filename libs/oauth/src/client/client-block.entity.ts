import { Column, Entity, PrimaryColumn } from 'typeorm';
import { wholeNumber } from '#libs/platform';

export type BlockKind = 'client' | 'redirect-host';

/** Blocks one client by its id, or all clients whose redirect URI has a host. */
@Entity('oauth_blocks')
export class ClientBlockEntity {
  @PrimaryColumn('varchar', { length: 16 })
  kind!: BlockKind;

  /** A client id, or a host. */
  @PrimaryColumn('varchar', { length: 512 })
  value!: string;

  @Column('bigint', { name: 'created_at', transformer: wholeNumber })
  createdAt!: number;
}
