import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DataSource, IsNull, MoreThan, Not } from 'typeorm';
import { hashSecret, RefusalError } from '#libs/accounts';
import { ClientMetadataError } from '../clients/client-metadata.error.js';
import { type ClientMetadata, registrationMetadata } from '../clients/client-metadata.js';
import { RegisteredClientEntity } from '../clients/registered-client.entity.js';
import { RegisteredClientsService } from '../clients/registered-clients.service.js';
import { ConsentEntity } from '../consent/consent.entity.js';
import { GrantEntity } from '../grant/grant.entity.js';
import { unknownClient } from './clients-directory.sql.js';

export const CLIENT_AUTH_CHOICES = ['none', 'client_secret_basic', 'client_secret_post'] as const;

export interface NewClient {
  readonly name: string;
  readonly redirectUris: readonly string[];
  readonly auth: (typeof CLIENT_AUTH_CHOICES)[number];
}

/** A client's id and its secret, which is returned only this once; null for a public client. */
export interface IssuedClient {
  readonly id: string;
  readonly secret: string | null;
}

/** Creates, changes and removes clients for administrators. */
@Injectable()
export class KeptClientsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly registered: RegisteredClientsService,
  ) {}

  /** The client stays until it is deleted, used or not. Throws RefusalError 400 for bad metadata. */
  async create({ name, redirectUris, auth }: NewClient): Promise<IssuedClient> {
    const metadata = acceptable({
      client_name: name,
      redirect_uris: redirectUris,
      token_endpoint_auth_method: auth,
    });
    const id = randomBytes(16).toString('base64url');
    const secret = auth === 'none' ? null : generateSecret();
    const client = {
      client_id: id,
      client_id_issued_at: Math.floor(Date.now() / 1000),
      ...metadata,
      ...(secret === null ? {} : { client_secret: secret, client_secret_expires_at: 0 }),
    };
    await this.registered.insertLasting(client);
    return { id, secret };
  }

  /** Invalidates the old secret at once. Throws RefusalError 404, or 409 for a client without a secret. */
  async rotateSecret(id: string): Promise<IssuedClient> {
    const secret = generateSecret();
    const { affected } = await this.dataSource.manager.update(
      RegisteredClientEntity,
      { id, secretHash: Not(IsNull()) },
      { secretHash: hashSecret(secret) },
    );
    if (affected === 1) return { id, secret };
    if (!(await this.dataSource.manager.existsBy(RegisteredClientEntity, { id }))) {
      throw unknownClient();
    }
    throw new RefusalError(409, 'this client has no secret: it is a public one, or has a key');
  }

  /**
   * Removes the client's registration, if it has one, its grants and its unanswered consents. Returns how
   * many grants ended. A client with a metadata document may connect again.
   */
  async remove(id: string): Promise<number> {
    return this.dataSource.transaction(async (manager) => {
      const now = Date.now();
      await manager.delete(ConsentEntity, { clientId: id });
      const active = { clientId: id, revokedAt: IsNull(), expiresAt: MoreThan(now) };
      const ended = await manager.update(GrantEntity, active, { revokedAt: now });
      // Last, in the lock order of a consent approval, which also writes the client row last: avoids a deadlock.
      await manager.delete(RegisteredClientEntity, { id });
      return ended.affected ?? 0;
    });
  }
}

const generateSecret = () => randomBytes(32).toString('base64url');

function acceptable(metadata: object): ClientMetadata {
  try {
    return registrationMetadata(metadata);
  } catch (error) {
    if (!(error instanceof ClientMetadataError)) throw error;
    throw new RefusalError(400, error.message);
  }
}
