import type { IncomingMessage } from 'node:http';
import { Inject, Injectable, Logger } from '@nestjs/common';
import type { Request } from 'express';
import { RefusalError, readBytes } from '#libs/accounts';
import { ClientMetadataError } from '../clients/client-metadata.error.js';
import { type ClientMetadata, registrationMetadata } from '../clients/client-metadata.js';
import { ClientPolicy } from '../clients/client-policy.js';
import { DocumentFetch } from '../clients/documents/document-fetch.adapter.js';
import { lacksAllowedScheme } from '../clients/redirect-uri.js';
import { OAUTH_OPTIONS, type OAuthOptions } from '../oauth.module-definition.js';
import { OAUTH_PATHS, OAuthError } from '../oauth-endpoints.js';
import { callProvider, providerError } from '../provider/provider-call.js';
import { ProvidersService } from '../provider/providers.service.js';
import { NO_WAY_BACK, schemeNotAllowed } from '../authorize/authorize-refusals.js';
import { RegistrationRoomService } from './registration-room.service.js';
import { registrationResponse } from './registration-response.js';

const MAX_METADATA_BYTES = 56 * 1024;

/** Registers clients with the library, after our own metadata checks and the client policy. */
@Injectable()
export class RegistrationsService {
  private readonly logger = new Logger(RegistrationsService.name);

  constructor(
    @Inject(OAUTH_OPTIONS) private readonly options: OAuthOptions,
    private readonly providers: ProvidersService,
    private readonly policy: ClientPolicy,
    private readonly room: RegistrationRoomService,
    private readonly documents: DocumentFetch,
  ) {}

  /** Returns the client information response (RFC 7591 §3.2.1). Throws OAuthError for every refusal. */
  async register(origin: string, request: Request): Promise<Record<string, unknown>> {
    const metadata = acceptable(await readMetadata(request));
    this.expectWayBack(metadata);
    this.expectFetchableKeys(metadata);
    await this.expectWelcome(metadata);
    await this.room.take(request, metadata);
    const answer = await callProvider(this.providers.forOrigin(origin), {
      method: 'POST',
      target: OAUTH_PATHS.register,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(metadata),
    });
    if (answer.status !== 201) throw providerError(answer, false);
    return registrationResponse(answer.body as Record<string, unknown>);
  }

  /** Refuses a client none of whose redirect URIs can ever be used, so that it learns this at registration. */
  private expectWayBack({ redirect_uris: uris }: ClientMetadata) {
    const { privateUseRedirectSchemes: schemes } = this.options;
    if (!uris.every((uri) => lacksAllowedScheme(uri, schemes))) return;
    this.logger.warn(`a registration was refused: ${schemeNotAllowed(uris[0] ?? '')}`);
    throw new OAuthError(400, 'invalid_redirect_uri', NO_WAY_BACK);
  }

  private expectFetchableKeys({ jwks_uri: keySet }: ClientMetadata) {
    const refusal = keySet === undefined ? undefined : this.documents.refusalOf(keySet);
    if (refusal === undefined) return;
    throw new OAuthError(400, 'invalid_client_metadata', `jwks_uri ${refusal}`);
  }

  private async expectWelcome(metadata: ClientMetadata) {
    const refusal = await this.policy.refusalOf(metadata);
    if (refusal !== undefined) throw new OAuthError(400, 'invalid_client_metadata', refusal);
  }
}

async function readMetadata(request: IncomingMessage): Promise<unknown> {
  try {
    const length = request.headers['content-length'];
    const bytes = await readBytes(request, MAX_METADATA_BYTES, length);
    return JSON.parse(bytes.toString('utf8'));
  } catch (error) {
    const status = error instanceof RefusalError ? error.status : 400;
    if (status >= 500) throw error;
    const sentence = status === 413 ? 'the metadata is too large' : 'the body has to be JSON';
    throw new OAuthError(status, 'invalid_client_metadata', sentence);
  }
}

function acceptable(metadata: unknown) {
  try {
    return registrationMetadata(metadata);
  } catch (error) {
    if (!(error instanceof ClientMetadataError)) throw error;
    throw new OAuthError(400, error.error, error.message);
  }
}
