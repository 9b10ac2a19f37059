import { DataSource, IsNull, MoreThan } from 'typeorm';
import {
  BatchedRead,
  type DependentSql,
  isJsonObject,
  type Page,
  pageOf,
  type PageRequest,
  parseJson,
  UnknownPageError,
} from '#libs/platform';
import { isDocumentUrl, type KnownClient } from './client.js';
import { Injectable } from '@nestjs/common';
import { hashSecret, RefusalError } from '#libs/accounts';
import { RegisteredClientEntity } from './registered-client.entity.js';
import { GrantEntity } from '../grants/grant.entity.js';

/** Identifier, secret hash, times, their indexes, and the metadata that the library adds. */
const ROW_BYTES = 1024;

/** The approximate size of a registration in the database, as budgets count it. */
export const storedBytes = (metadata: object): number =>
  ROW_BYTES + Buffer.byteLength(JSON.stringify(metadata));

const DAY_MS = 24 * 60 * 60 * 1000;
const LIFETIME_MS = 90 * DAY_MS;

const FIND = new BatchedRead(
  'registered-client',
  ({ keys }) => `
   SELECT c.id AS key, c.metadata, c.secret_hash, c.expires_at
   FROM ${keys} JOIN oauth_clients c ON c.id = keys.value`,
);

/** The metadata of a registered client, with the hash in place of the secret; undefined when unknown or expired. */
export async function findRegisteredClient(
  dataSource: DataSource,
  id: string,
): Promise<KnownClient | undefined> {
  const row = await FIND.find(dataSource, id);
  return row && Number(row['expires_at']) > Date.now() ? toKnownClient(row) : undefined;
}

/** Reads the columns `metadata` and `secret_hash`. */
export function toKnownClient(row: Readonly<Record<string, unknown>>): KnownClient {
  const metadata: KnownClient = JSON.parse(String(row['metadata']));
  const secretHash = row['secret_hash'];
  return secretHash == null ? metadata : { ...metadata, client_secret: String(secretHash) };
}

/** SQL: whether the last recorded use of a client `c` is a day old; `now` is a bigint. */
export const isUseDue = (c: string, now: string) =>
  `(${c}.expires_at < ${now} + ${LIFETIME_MS - DAY_MS} OR ${c}.last_used_at < ${now} - ${DAY_MS})`;

/**
 * SQL for a change that grants something to a client: extends a registration to at least 90 days from
 * `now`, a bigint. Writes at most once a day.
 */
export const clientUse =
  (id: string, now: string): DependentSql =>
  ({ decided }) => `
    UPDATE oauth_clients SET last_used_at = ${now}, granted_at = COALESCE(granted_at, ${now}),
      expires_at = CASE WHEN expires_at > ${now} + ${LIFETIME_MS} THEN expires_at ELSE ${now} + ${LIFETIME_MS} END
    WHERE id = ${id} AND expires_at > ${now} AND ${isUseDue('oauth_clients', now)} AND ${decided}`;

const UNTRIED_LIFETIME_MS = 30 * DAY_MS;

/** Year 9999: for clients that stay until an administrator deletes them. */
const NEVER = 253_402_300_799_000;
const REGISTERED_ID = /^[A-Za-z0-9_-]{1,64}$/;

/** A registration before it is stored: `client_secret` is still the secret itself. */
interface NewClient {
  readonly client_id?: string | undefined;
  readonly client_secret?: string | undefined;
}

/** Stores registered clients; of their secrets only the hashes. */
@Injectable()
export class RegisteredClientsService {
  constructor(private readonly dataSource: DataSource) {}

  /** Stores a new client, which expires after 30 days unless it gets a grant. */
  async insert(client: NewClient): Promise<void> {
    await this.store(client, { grantedAt: null, expiresAt: Date.now() + UNTRIED_LIFETIME_MS });
  }

  /** Stores a new client that never expires, used or not. */
  async insertLasting(client: NewClient): Promise<void> {
    await this.store(client, { grantedAt: Date.now(), expiresAt: NEVER });
  }

  /** The client's metadata, with the hash in place of the secret. Undefined when unknown or expired. */
  async find(id: string): Promise<KnownClient | undefined> {
    if (!REGISTERED_ID.test(id)) return undefined;
    return findRegisteredClient(this.dataSource, id);
  }

  private async store(
    { client_secret: secret, ...metadata }: NewClient,
    life: Pick<RegisteredClientEntity, 'grantedAt' | 'expiresAt'>,
  ): Promise<void> {
    const { client_id: id } = metadata;
    if (id === undefined || !REGISTERED_ID.test(id)) throw new TypeError('not a client identifier');
    const now = Date.now();
    await this.dataSource.manager.insert(RegisteredClientEntity, {
      id,
      metadata: { ...metadata },
      secretHash: secret === undefined ? null : hashSecret(secret),
      createdAt: now,
      lastUsedAt: now,
      storedBytes: storedBytes(metadata),
      ...life,
    });
  }
}

/** A client as administrators see it. Times are epoch milliseconds. */
export interface ClientRecord {
  readonly id: string;
  /** The name that the client gives itself; null without one. */
  readonly name: string | null;
  /** Registered here, or published in a metadata document of its own. */
  readonly kind: 'registered' | 'published';
  /** As registered; empty for a published client, whose document is not stored. */
  readonly redirectUris: readonly string[];
  /** How it authenticates at the token endpoint; null for a published one. */
  readonly auth: string | null;
  readonly createdAt: number;
  readonly lastUsedAt: number;
  /** Blocked by its id. */
  readonly blocked: boolean;
}

/**
 * Every client with a row: registered clients, published clients that have or had a grant, and blocked client ids
 * that are neither.
 */
const CLIENTS = `(
  SELECT id, created_at, last_used_at, metadata, CAST(NULL AS varchar(80)) AS app FROM oauth_clients
  UNION ALL
  SELECT client_id, MIN(created_at), MAX(last_used_at), CAST(NULL AS text), MAX(app)
  FROM oauth_grants WHERE published IS NOT NULL GROUP BY client_id
  UNION ALL
  SELECT value, created_at, created_at, CAST(NULL AS text), CAST(NULL AS varchar(80)) FROM oauth_blocks
  WHERE kind = 'client' AND NOT EXISTS (SELECT 1 FROM oauth_clients WHERE id = value)
    AND NOT EXISTS (SELECT 1 FROM oauth_grants WHERE client_id = value AND published IS NOT NULL)
) AS clients`;

const BLOCKED = `EXISTS (SELECT 1 FROM oauth_blocks WHERE kind = 'client' AND value = clients.id)`;

/** Reads clients for administrators. */
@Injectable()
export class ClientsDirectory {
  constructor(private readonly dataSource: DataSource) {}

  /** Newest first. @throws UnknownPageError */
  async list({ limit, after }: PageRequest): Promise<Page<ClientRecord>> {
    if (after === undefined) return pageOf(await this.rows('', [], limit + 1), limit);
    const from = await this.find(after);
    if (!from) throw new UnknownPageError();
    const older = 'WHERE created_at <= $1 AND (created_at < $1 OR id < $2)';
    return pageOf(await this.rows(older, [from.createdAt, after], limit + 1), limit);
  }

  /** Throws RefusalError 404. */
  async get(id: string): Promise<ClientRecord> {
    const found = await this.find(id);
    if (!found) throw unknownClient();
    return found;
  }

  async countGrants(clientId: string): Promise<number> {
    return this.dataSource.manager.countBy(GrantEntity, {
      clientId,
      revokedAt: IsNull(),
      expiresAt: MoreThan(Date.now()),
    });
  }

  private async find(id: string): Promise<ClientRecord | undefined> {
    return (await this.rows('WHERE id = $1', [id], 1))[0];
  }

  private async rows(where: string, parameters: unknown[], limit: number) {
    const rows = await this.dataSource.query<Record<string, unknown>[]>(
      `SELECT clients.*, ${BLOCKED} AS blocked FROM ${CLIENTS} ${where} ORDER BY created_at DESC, id DESC LIMIT ${limit}`,
      parameters,
    );
    return rows.map(toRecord);
  }
}

export const unknownClient = () => new RefusalError(404, 'there is no client of that id');

function toRecord(row: Record<string, unknown>): ClientRecord {
  const parsed = typeof row['metadata'] === 'string' ? parseJson(row['metadata']) : undefined;
  const metadata = isJsonObject(parsed) ? parsed : undefined;
  const {
    client_name: name,
    token_endpoint_auth_method: auth,
    redirect_uris: uris,
  } = metadata ?? {};
  return {
    id: String(row['id']),
    name: textOrNull(metadata ? name : row['app']),
    kind: metadata || !isDocumentUrl(String(row['id'])) ? 'registered' : 'published',
    redirectUris: Array.isArray(uris) ? uris.map(String) : [],
    auth: textOrNull(auth),
    createdAt: Number(row['created_at']),
    lastUsedAt: Number(row['last_used_at']),
    blocked: Boolean(row['blocked']),
  };
}

const textOrNull = (value: unknown) => (typeof value === 'string' ? value : null);
