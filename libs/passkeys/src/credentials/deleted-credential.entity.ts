import { Entity, PrimaryColumn } from 'typeorm';

/** The tombstone of a passkey that was deleted: its id and nothing else, kept after its account too. */
@Entity('deleted_credentials')
export class DeletedCredentialEntity {
  @PrimaryColumn('varchar', { length: 1366 })
  id!: string;
}
