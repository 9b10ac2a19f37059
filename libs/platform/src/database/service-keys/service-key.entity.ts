import { Column, Entity, PrimaryColumn } from 'typeorm';
import { wholeNumber } from '../whole-number.js';

/** A key that the service generated for itself and that all replicas share. */
@Entity('service_keys')
export class ServiceKeyEntity {
  /** The purpose of the key. */
  @PrimaryColumn('varchar', { length: 64 })
  name!: string;

  /** 32 random bytes, base64url. */
  @Column('varchar', { length: 43 })
  secret!: string;

  @Column('bigint', { name: 'created_at', transformer: wholeNumber })
  createdAt!: number;
}
