import { Injectable } from '@nestjs/common';
import { DataSource, IsNull, MoreThan } from 'typeorm';
import { RefusalError } from '#libs/accounts';
import {
  type Page,
  type PageRequest,
  UnknownPageError,
  isJsonObject,
  pageOf,
  parseJson,
} from '#libs/platform';
import { isDocumentUrl } from '../clients/client-id-url.js';
import { GrantEntity } from '../grant/grant.entity.js';

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
