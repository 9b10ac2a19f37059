import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { hashSecret } from '#libs/accounts';
import type { KnownClient } from './client-metadata.js';
import { RegisteredClientEntity } from './registered-client.entity.js';
import { findRegisteredClient } from './registered-client.sql.js';
import { storedBytes } from './registrations/stored-bytes.js';

const DAY_MS = 24 * 60 * 60 * 1000;
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
