import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { generateId, RefusalError } from '#libs/accounts';
import { epochSeconds } from '#libs/platform';
import {
  type ClientMetadata,
  type MACHINE_AUTH_CHOICES,
  type MachineLimits,
  machineMetadata,
  registrationMetadata,
} from './client.js';
import { ClientStore } from './client.store.js';
import { ClientMetadataError } from './metadata-fields.js';

export const CLIENT_AUTH_CHOICES = ['none', 'client_secret_basic', 'client_secret_post'] as const;

export interface NewClient {
  readonly name: string;
  readonly redirectUris: readonly string[];
  readonly auth: (typeof CLIENT_AUTH_CHOICES)[number];
}

/** A machine client, which acts for itself and never for a user. */
export interface NewMachineClient extends MachineLimits {
  readonly name: string;
  readonly auth: (typeof MACHINE_AUTH_CHOICES)[number];
  /** The public keys (RFC 7517 §5) of a client that authenticates by `private_key_jwt`. */
  readonly jwks?: unknown;
}

/** A client's id and its secret, which is returned only this once; null for a public client. */
export interface IssuedClient {
  readonly id: string;
  readonly secret: string | null;
}

@Injectable()
export class ClientCredentialsService {
  constructor(private readonly clients: ClientStore) {}

  /** The client stays until it is deleted, used or not. Throws RefusalError 400 for bad metadata. */
  async create({ name, redirectUris, auth }: NewClient): Promise<IssuedClient> {
    const metadata = acceptable(() =>
      registrationMetadata({
        client_name: name,
        redirect_uris: redirectUris,
        token_endpoint_auth_method: auth,
      }),
    );
    return this.store(metadata, auth === 'none' ? null : generateSecret());
  }

  /** As `create`, for a machine client, with scopes that the caller checked; the secret is null for one with keys. */
  async createMachine({ name, auth, jwks, ...limits }: NewMachineClient): Promise<IssuedClient> {
    const request = { client_name: name, token_endpoint_auth_method: auth, jwks };
    const metadata = acceptable(() => machineMetadata(request, limits));
    return this.store(metadata, auth === 'private_key_jwt' ? null : generateSecret());
  }

  private async store(metadata: ClientMetadata, secret: string | null): Promise<IssuedClient> {
    const id = generateId();
    const client = {
      client_id: id,
      client_id_issued_at: epochSeconds(Date.now()),
      ...metadata,
      ...(secret === null ? {} : { client_secret: secret, client_secret_expires_at: 0 }),
    };
    await this.clients.insert(client, { isLasting: true });
    return { id, secret };
  }

  /** Invalidates the old secret at once. Throws RefusalError 404, or 409 for a client without a secret. */
  async rotateSecret(id: string): Promise<IssuedClient> {
    const secret = generateSecret();
    await this.clients.replaceSecret(id, secret);
    return { id, secret };
  }
}

const generateSecret = () => randomBytes(32).toString('base64url');

function acceptable(metadata: () => ClientMetadata): ClientMetadata {
  try {
    return metadata();
  } catch (error) {
    if (!(error instanceof ClientMetadataError)) throw error;
    throw new RefusalError(400, error.message);
  }
}
