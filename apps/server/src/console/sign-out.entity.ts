import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { wholeNumber } from '#libs/platform';

/** A session of the console that was signed out, kept as long as a cookie of it could be valid. */
@Entity('console_sign_outs')
export class ConsoleSignOutEntity {
  @PrimaryColumn('varchar', { length: 64 })
  id!: string;

  @Index('console_sign_outs_expires_at')
  @Column('bigint', { name: 'expires_at', transformer: wholeNumber })
  expiresAt!: number;
}
