import { Injectable } from '@nestjs/common';
import {
  Column,
  DataSource,
  Entity,
  Index,
  JoinColumn,
  ManyToOne,
  PrimaryColumn,
  type Relation,
} from 'typeorm';
import { hashSecret } from '#libs/accounts';
import {
  BatchedRead,
  column,
  expiredRows,
  PreparedStatement,
  type Row,
  wholeNumber,
} from '#libs/platform';
import { idBlocked } from '../client/client-block.store.js';
import { appName } from '../client/client.js';
import {
  clientUseValues,
  type ClientUseValues,
  isUseDue,
  recordClientUse,
  RegisteredClientEntity,
  toKnownClient,
} from '../client/client.store.js';
import { scopeWords } from '../scope.js';

/** An access token of a machine client; only its hash is stored. It belongs to no grant: no user gave one. */
@Entity('oauth_machine_tokens')
export class MachineTokenEntity {
  @PrimaryColumn('varchar', { name: 'id_hash', length: 43 })
  idHash!: string;

  @Index('oauth_machine_tokens_client')
  @Column('varchar', { name: 'client_id', length: 64 })
  clientId!: string;

  @ManyToOne(() => RegisteredClientEntity, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'client_id', foreignKeyConstraintName: 'oauth_machine_tokens_client_id' })
  client!: Relation<RegisteredClientEntity>;

  /** The issuer of the token; only requests to this origin may use it. */
  @Column('varchar', { length: 300 })
  origin!: string;

  @Column('varchar', { length: 512 })
  resource!: string;

  @Column('text')
  scope!: string;

  @Column('bigint', { name: 'created_at', transformer: wholeNumber })
  createdAt!: number;

  @Index('oauth_machine_tokens_expires_at')
  @Column('bigint', { name: 'expires_at', transformer: wholeNumber })
  expiresAt!: number;
}

/** An access token that is about to be stored; `value` is the token itself. */
export type NewMachineToken = Readonly<Omit<MachineTokenEntity, 'idHash' | 'client'>> & {
  readonly value: string;
};

/** A token of a client that exists and is not blocked; maybe expired. */
export interface StoredMachineToken extends Omit<NewMachineToken, 'value' | 'scope'> {
  readonly scopes: readonly string[];
  readonly app: string;
}

/** A key share lock: waits for a deletion of the client, and does not wait for the record of its use. */
const INSERT = new PreparedStatement<
  'idHash' | 'origin' | 'resource' | 'scope' | 'expiresAt' | keyof ClientUseValues
>(
  'insert-machine-token',
  ({ type }) => `
    INSERT INTO oauth_machine_tokens (id_hash, client_id, origin, resource, scope, created_at, expires_at)
    SELECT :idHash, id, :origin, :resource, :scope, CAST(:clientUsedAt AS bigint), CAST(:expiresAt AS bigint)
    FROM oauth_clients WHERE id = :usedClientId AND expires_at > CAST(:clientUsedAt AS bigint)
      AND NOT ${idBlocked('oauth_clients.id')}
    ${type === 'postgres' ? 'FOR KEY SHARE' : ''}
    RETURNING (SELECT ${isUseDue('c', 'CAST(:clientUsedAt AS bigint)')} FROM oauth_clients c
               WHERE c.id = :usedClientId) AS is_client_due`,
);

const FIND = new BatchedRead(
  'machine-token',
  ({ keys }) => `
    SELECT t.id_hash AS key, t.client_id, t.origin, t.resource, t.scope, t.created_at, t.expires_at, c.metadata
    FROM ${keys}
    JOIN oauth_machine_tokens t ON t.id_hash = keys.value
    JOIN oauth_clients c ON c.id = t.client_id
    WHERE NOT ${idBlocked('t.client_id')}`,
);

const IS_CLIENT_USABLE = new PreparedStatement<'id'>(
  'machine-is-usable',
  `SELECT 1 FROM oauth_clients c WHERE c.id = :id AND NOT ${idBlocked('c.id')}`,
);

export const expiredMachineTokens = expiredRows(MachineTokenEntity, 'idHash');

/** Access tokens of machine clients, by their hashes. The foreign key deletes them with their client. */
@Injectable()
export class MachineTokenStore {
  constructor(private readonly dataSource: DataSource) {}

  /** Stores a token, and once a day records its client's use. False for a client that is gone or blocked. */
  async insert({ value, clientId, createdAt, ...token }: NewMachineToken): Promise<boolean> {
    const { rows } = await INSERT.run(this.dataSource, {
      ...token,
      idHash: hashSecret(value),
      ...clientUseValues(clientId, createdAt),
    });
    const [row] = rows;
    if (row && column.flag(row, 'is_client_due')) await recordClientUse(this.dataSource, clientId);
    return row !== undefined;
  }

  /** Undefined for an unknown token, and for one of a blocked client. */
  async find(value: string): Promise<StoredMachineToken | undefined> {
    const row = await FIND.find(this.dataSource, hashSecret(value));
    return row && toToken(row);
  }

  async isClientUsable(clientId: string): Promise<boolean> {
    return (await IS_CLIENT_USABLE.run(this.dataSource, { id: clientId })).rows.length === 1;
  }

  async remove(token: string): Promise<void> {
    await this.dataSource.manager.delete(MachineTokenEntity, { idHash: hashSecret(token) });
  }
}

function toToken(row: Row): StoredMachineToken {
  const clientId = column.text(row, 'client_id');
  const { client_name: clientName } = toKnownClient(row);
  return {
    clientId,
    app: appName({ clientId, clientName }),
    origin: column.text(row, 'origin'),
    resource: column.text(row, 'resource'),
    scopes: scopeWords(column.text(row, 'scope')),
    createdAt: column.number(row, 'created_at'),
    expiresAt: column.number(row, 'expires_at'),
  };
}
