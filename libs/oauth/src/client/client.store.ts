import { Injectable } from '@nestjs/common';
import {
  Column,
  DataSource,
  Entity,
  type EntityManager,
  Index,
  IsNull,
  Not,
  PrimaryColumn,
} from 'typeorm';
import { hashSecret, RefusalError } from '#libs/accounts';
import {
  BatchedRead,
  column,
  expiredRows,
  type GuardedWrite,
  isJsonObject,
  type JsonObject,
  type ListPage,
  pageOf,
  type PageRequest,
  parseJson,
  PreparedStatement,
  type Row,
  type SqlTarget,
  unknownPage,
  wholeNumber,
} from '#libs/platform';
import { isDocumentUrl, type KnownClient } from './client.js';

/** A dynamically registered client (RFC 7591). */
@Entity('oauth_clients')
@Index('oauth_clients_created', ['createdAt', 'id'])
@Index('oauth_clients_untried', ['grantedAt', 'createdAt', 'storedBytes'])
export class RegisteredClientEntity {
  @PrimaryColumn('varchar', { length: 64 })
  id!: string;

  @Column('simple-json')
  metadata!: Record<string, unknown>;

  @Column('varchar', { name: 'secret_hash', length: 43, nullable: true })
  secretHash!: string | null;

  @Column('bigint', { name: 'created_at', transformer: wholeNumber })
  createdAt!: number;

  @Column('bigint', { name: 'last_used_at', transformer: wholeNumber })
  lastUsedAt!: number;

  /** When the client got its first grant; null before. */
  @Column('bigint', { name: 'granted_at', nullable: true, transformer: wholeNumber })
  grantedAt!: number | null;

  @Column('bigint', { name: 'stored_bytes', default: 0, transformer: wholeNumber })
  storedBytes!: number;

  /** 30 days after registration until its first grant, then 90 days after its last use. */
  @Index('oauth_clients_expires_at')
  @Column('bigint', { name: 'expires_at', transformer: wholeNumber })
  expiresAt!: number;
}

/** Identifier, secret hash, times, their indexes, and the metadata that the library adds. */
const ROW_BYTES = 1024;

/** The approximate size of a registration in the database, as budgets count it. */
export const storedBytes = (metadata: object): number =>
  ROW_BYTES + Buffer.byteLength(JSON.stringify(metadata));

const DAY_MS = 24 * 60 * 60 * 1000;
const LIFETIME_MS = 90 * DAY_MS;
const UNUSED_LIFETIME_MS = 30 * DAY_MS;
/** Year 9999: later than any time, and for clients that stay until an administrator deletes them. */
const NEVER = 253_402_300_799_000;

const USED_AT = 'CAST(:clientUsedAt AS bigint)';

const FIND = new BatchedRead(
  'registered-client',
  ({ keys }) => `
   SELECT c.id AS key, c.metadata, c.secret_hash, c.expires_at
   FROM ${keys} JOIN oauth_clients c ON c.id = keys.value`,
);

export function toKnownClient(row: Row): KnownClient {
  const metadata: KnownClient = JSON.parse(column.text(row, 'metadata'));
  const secretHash = column.textOrNull(row, 'secret_hash');
  return secretHash === null ? metadata : { ...metadata, client_secret: secretHash };
}

/** SQL: whether the last recorded use of a client `c` is a day old; `now` is a bigint. */
export const isUseDue = (c: string, now: string) =>
  `(${c}.expires_at < ${now} + ${LIFETIME_MS - DAY_MS} OR ${c}.last_used_at < ${now} - ${DAY_MS})`;

/** A write that grants something to a client, with `clientUseValues`: prolongs it to 90 days from now, once a day. */
export const RECORD_CLIENT_USE: GuardedWrite = ({ guarded }) => `
  UPDATE oauth_clients SET last_used_at = ${USED_AT}, granted_at = COALESCE(granted_at, ${USED_AT}),
    expires_at = CASE WHEN expires_at > ${USED_AT} + ${LIFETIME_MS} THEN expires_at
      ELSE ${USED_AT} + ${LIFETIME_MS} END
  WHERE id = :usedClientId AND expires_at > ${USED_AT} AND ${isUseDue('oauth_clients', USED_AT)}
    AND ${guarded}`;

/** The values for `RECORD_CLIENT_USE`; `clientUsedAt` is in epoch milliseconds. */
export const clientUseValues = (usedClientId: string, clientUsedAt = Date.now()) => ({
  usedClientId,
  clientUsedAt,
});

export type ClientUseValues = ReturnType<typeof clientUseValues>;

const RECORD_USE = new PreparedStatement<keyof ClientUseValues>('record-client-use', (dialect) =>
  RECORD_CLIENT_USE({ ...dialect, guarded: 'TRUE' }),
);

export async function recordClientUse(on: SqlTarget, clientId: string): Promise<void> {
  await RECORD_USE.run(on, clientUseValues(clientId));
}

const REGISTERED_ID = /^[A-Za-z0-9_-]{1,64}$/;

/** A registration before it is stored: `client_secret` is still the secret itself. */
export interface NewRegistration {
  readonly client_id?: string | undefined;
  readonly client_secret?: string | undefined;
}

/** A client as administrators see it. Times are epoch milliseconds. */
export interface ClientRecord {
  readonly id: string;
  /** The name that the client gives itself; null without one. */
  readonly name: string | null;
  /** Registered here, with or without users, or published in a metadata document of its own. */
  readonly kind: 'registered' | 'machine' | 'published';
  /** Of a machine client: the only scopes that its tokens may have. */
  readonly scopes?: readonly string[];
  /** Of a machine client that is not for `/svc/mcp`: the only resource of its tokens, as it is listed. */
  readonly resource?: string;
  /** As registered; empty for a published client, whose document is not stored. */
  readonly redirectUris: readonly string[];
  /** How it authenticates at the token endpoint; null for a published one. */
  readonly auth: string | null;
  readonly createdAt: number;
  readonly lastUsedAt: number;
  readonly blocked: boolean;
}

const PUBLISHED_CLIENT_IDS = `
  SELECT MIN(client_id) FROM oauth_grants WHERE published IS NOT NULL
  UNION ALL
  SELECT (SELECT MIN(client_id) FROM oauth_grants WHERE published IS NOT NULL AND client_id > published.id)
  FROM published WHERE id IS NOT NULL`;

const GRANTS_OF_CLIENT = 'FROM oauth_grants WHERE published IS NOT NULL AND client_id';

/** SQL: a page of all clients with a row. `published` yields ids by an index: grants are read for the page alone. */
const pageOfClients = (published: string, where: string, limit: string) => `
  WITH RECURSIVE published(id) AS (${published})
  SELECT page.id, page.created_at, c.metadata,
    COALESCE(c.last_used_at, (SELECT MAX(last_used_at) ${GRANTS_OF_CLIENT} = page.id), page.created_at)
      AS last_used_at,
    (SELECT app ${GRANTS_OF_CLIENT} = page.id ORDER BY created_at DESC LIMIT 1) AS app,
    EXISTS (SELECT 1 FROM oauth_blocks WHERE kind = 'client' AND value = page.id) AS blocked
  FROM (
    SELECT * FROM (
      SELECT id, created_at FROM oauth_clients ${where} ORDER BY created_at DESC, id DESC LIMIT ${limit}
    ) AS registered
    UNION ALL
    SELECT * FROM (
      SELECT id, (SELECT created_at ${GRANTS_OF_CLIENT} = published.id ORDER BY created_at LIMIT 1)
        AS created_at FROM published
    ) AS given ${where} AND created_at IS NOT NULL
    UNION ALL
    SELECT * FROM (
      SELECT value AS id, created_at FROM oauth_blocks
      WHERE kind = 'client' AND NOT EXISTS (SELECT 1 FROM oauth_clients WHERE id = value)
        AND NOT EXISTS (SELECT 1 ${GRANTS_OF_CLIENT} = value)
    ) AS unknown ${where}
    ORDER BY created_at DESC, id DESC LIMIT ${limit}
  ) AS page LEFT JOIN oauth_clients c ON c.id = page.id
  ORDER BY page.created_at DESC, page.id DESC`;

/** The clients with a row, published and blocked ones without a registration included, that come after one of them. */
const LIST = new PreparedStatement<'limit' | 'createdAt' | 'id'>(
  'list-clients',
  pageOfClients(
    PUBLISHED_CLIENT_IDS,
    'WHERE created_at <= :createdAt AND (created_at < :createdAt OR id < :id)',
    ':limit',
  ),
);

/** Stands before the newest client. */
const BEFORE_ALL = { createdAt: NEVER, id: '' };

const FIND_RECORD = new PreparedStatement<'id'>(
  'client-record',
  pageOfClients('SELECT CAST(:id AS text)', 'WHERE id = :id', '1'),
);

const LOCK = new PreparedStatement<'id'>(
  'lock-client',
  ({ forShare }) => `SELECT 1 FROM oauth_clients WHERE id = :id ${forShare}`,
);

export const expiredRegistrations = expiredRows(RegisteredClientEntity, 'id');

type RemovalHook = (manager: EntityManager, clientId: string) => Promise<number>;

/** Registered clients, of their secrets only the hashes; and a list of all clients for administrators. */
@Injectable()
export class ClientStore {
  private endGrants: RemovalHook = async () => 0;

  constructor(private readonly dataSource: DataSource) {}

  /** Stores a new client. It expires after 30 days unless it gets a grant; a lasting one never does. */
  async insert(
    { client_secret: secret, ...metadata }: NewRegistration,
    { isLasting = false } = {},
  ): Promise<void> {
    const { client_id: id } = metadata;
    if (id === undefined || !REGISTERED_ID.test(id)) throw new TypeError('not a client identifier');
    const now = Date.now();
    const client = {
      id,
      metadata: { ...metadata },
      secretHash: secret === undefined ? null : hashSecret(secret),
      createdAt: now,
      lastUsedAt: now,
      storedBytes: storedBytes(metadata),
      grantedAt: isLasting ? now : null,
      expiresAt: isLasting ? NEVER : now + UNUSED_LIFETIME_MS,
    };
    await this.dataSource.manager.insert(RegisteredClientEntity, client);
  }

  /** The client's metadata, with the hash in place of the secret. Undefined when unknown or expired. */
  async find(id: string): Promise<KnownClient | undefined> {
    if (!REGISTERED_ID.test(id)) return undefined;
    const row = await FIND.find(this.dataSource, id);
    return row && column.number(row, 'expires_at') > Date.now() ? toKnownClient(row) : undefined;
  }

  /** All clients, newest first. @throws NotFoundException */
  async list({ limit, after }: PageRequest): Promise<ListPage<ClientRecord>> {
    const from = after === undefined ? BEFORE_ALL : await this.findRecord(after);
    if (!from) throw unknownPage();
    const { createdAt, id } = from;
    const { rows } = await LIST.run(this.dataSource, { limit: limit + 1, createdAt, id });
    return pageOf(rows.map(toRecord), limit);
  }

  /** Throws RefusalError 404. */
  async get(id: string): Promise<ClientRecord> {
    const found = await this.findRecord(id);
    if (!found) throw unknownClient();
    return found;
  }

  async countGrants(clientId: string): Promise<number> {
    const [row] = await this.dataSource.query<{ count: string }[]>(
      `SELECT COUNT(*) AS count FROM oauth_grants
       WHERE client_id = $1 AND revoked_at IS NULL AND expires_at > $2`,
      [clientId, Date.now()],
    );
    return Number(row?.count);
  }

  /** Invalidates the old secret at once. Throws RefusalError 404, or 409 for a client without a secret. */
  async replaceSecret(id: string, secret: string): Promise<void> {
    const { manager } = this.dataSource;
    const confidential = { id, secretHash: Not(IsNull()) };
    const secretHash = hashSecret(secret);
    const { affected } = await manager.update(RegisteredClientEntity, confidential, { secretHash });
    if (affected === 1) return;
    if (!(await manager.existsBy(RegisteredClientEntity, { id }))) throw unknownClient();
    throw new RefusalError(409, 'this client has no secret: it is a public one, or has a key');
  }

  /** Does some work in a transaction that keeps a registered client from being removed. Throws RefusalError 404. */
  async whileThere(id: string, work: (manager: EntityManager) => Promise<void>): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      const { rows } = await LOCK.run(manager, { id });
      if (rows.length === 0) throw unknownClient();
      await work(manager);
    });
  }

  /** Sets the step of each removal that ends what the client was given; it returns how many grants these were. */
  beforeRemoval(hook: RemovalHook): void {
    this.endGrants = hook;
  }

  /** Removes a registration with tokens and grants, and what `alongside` removes; returns how many grants ended. */
  async remove(clientId: string, alongside?: (manager: EntityManager) => Promise<void>) {
    const ended = await this.dataSource.transaction(async (manager) => {
      const grants = await this.endGrants(manager, clientId);
      // Last, in the lock order of a consent approval, which also writes the client row last: avoids a deadlock.
      await manager.delete(RegisteredClientEntity, { id: clientId });
      await alongside?.(manager);
      return grants;
    });
    // A trusted issuer may have given some meanwhile: the deletion of the row waited for those.
    return ended + (await this.endGrants(this.dataSource.manager, clientId));
  }

  private async findRecord(id: string): Promise<ClientRecord | undefined> {
    const [row] = (await FIND_RECORD.run(this.dataSource, { id })).rows;
    return row && toRecord(row);
  }
}

const unknownClient = () => new RefusalError(404, 'there is no client of that id');

function toRecord(row: Row): ClientRecord {
  const parsed = parseJson(column.textOrNull(row, 'metadata') ?? 'null');
  const metadata = isJsonObject(parsed) ? parsed : undefined;
  const { redirect_uris: uris, machine } = metadata ?? {};
  const { scopes, resource } = isJsonObject(machine) ? machine : {};
  return {
    id: column.text(row, 'id'),
    name: metadata ? stringOrNull(metadata['client_name']) : column.textOrNull(row, 'app'),
    kind: kindOf(column.text(row, 'id'), metadata),
    ...(Array.isArray(scopes) ? { scopes: scopes.map(String) } : {}),
    ...(typeof resource === 'string' ? { resource } : {}),
    redirectUris: Array.isArray(uris) ? uris.map(String) : [],
    auth: stringOrNull(metadata?.['token_endpoint_auth_method']),
    createdAt: column.number(row, 'created_at'),
    lastUsedAt: column.number(row, 'last_used_at'),
    blocked: column.flag(row, 'blocked'),
  };
}

function kindOf(id: string, metadata: JsonObject | undefined): ClientRecord['kind'] {
  if (metadata) return metadata['machine'] === undefined ? 'registered' : 'machine';
  return isDocumentUrl(id) ? 'published' : 'registered';
}

const stringOrNull = (value: unknown) => (typeof value === 'string' ? value : null);
