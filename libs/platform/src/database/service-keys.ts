import {
  createHmac,
  createSecretKey,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';
import { Column, type DataSource, Entity, PrimaryColumn } from 'typeorm';
import { PreparedStatement } from './prepared-statement.js';
import { column } from './row.js';
import { wholeNumber } from './typeorm.defaults.js';

/** A key that the service generated for itself and that all replicas share. */
@Entity('service_keys')
export class ServiceKeyEntity {
  @PrimaryColumn('varchar', { length: 64 })
  name!: string;

  /** 32 random bytes, base64url. */
  @Column('varchar', { length: 43 })
  secret!: string;

  @Column('bigint', { name: 'created_at', transformer: wholeNumber })
  createdAt!: number;
}

const KEY_BYTES = 32;

const INSERT = new PreparedStatement<'name' | 'secret' | 'createdAt'>(
  'insert-service-key',
  `INSERT INTO service_keys (name, secret, created_at)
   VALUES (:name, :secret, CAST(:createdAt AS bigint)) ON CONFLICT DO NOTHING`,
);

const FIND = new PreparedStatement<'name'>(
  'service-key',
  'SELECT secret FROM service_keys WHERE name = :name',
);

/**
 * The service's own key of that name (64 characters at most), 32 bytes: created by the first call, and the same for
 * all others on all replicas. The database needs `databaseMigrations`.
 */
export async function getServiceKey(dataSource: DataSource, name: string): Promise<KeyObject> {
  const found = await findKey(dataSource, name);
  if (found) return found;
  const secret = randomBytes(KEY_BYTES).toString('base64url');
  await INSERT.run(dataSource, { name, secret, createdAt: Date.now() });
  const kept = await findKey(dataSource, name);
  if (!kept) throw new Error(`the key ${name} was removed while it was being made`);
  return kept;
}

async function findKey(dataSource: DataSource, name: string): Promise<KeyObject | undefined> {
  const [row] = (await FIND.run(dataSource, { name })).rows;
  if (!row) return undefined;
  const key = Buffer.from(column.text(row, 'secret'), 'base64url');
  if (key.length !== KEY_BYTES) throw new Error(`the key ${name} in service_keys is damaged`);
  return createSecretKey(key);
}

/** MACs (HMAC-SHA-256, base64url) by a key of the service, the same on all replicas. */
export class ServiceMac {
  private key: KeyObject | undefined;

  constructor(
    private readonly dataSource: DataSource,
    private readonly keyName: string,
  ) {}

  /** No part but the last may contain a line break. */
  async of(...parts: readonly string[]): Promise<string> {
    this.key ??= await getServiceKey(this.dataSource, this.keyName);
    return createHmac('sha256', this.key).update(parts.join('\n')).digest('base64url');
  }

  async isOf(mac: string, ...parts: readonly string[]): Promise<boolean> {
    return isSameSecret(mac, await this.of(...parts));
  }
}

/** Takes the same time wherever the texts differ. */
export function isSameSecret(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}
