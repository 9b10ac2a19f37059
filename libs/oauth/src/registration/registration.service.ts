import { Inject, Injectable, Logger } from '@nestjs/common';
import type { Request } from 'express';
import { isInPassing, readBytes, RefusalError, visitorOf } from '#libs/accounts';
import { type ClientMetadata, registrationMetadata } from '../client/client.js';
import { RegistrationBudget } from './registration-budget.js';
import { storedBytes } from '../client/client.store.js';
import { UntriedRegistrationsService } from './registration.store.js';
import { OAuthError } from '../oauth.error.js';
import type { IncomingMessage } from 'node:http';
import { ClientMetadataError } from '../client/metadata-fields.js';
import { ClientPolicy } from '../client/client-policy.js';
import { DocumentFetch } from '../client-document/document-fetch.js';
import { lacksAllowedScheme } from '../client/redirect-uri.js';
import { OAUTH_OPTIONS, type OAuthOptions } from '../oauth.module-definition.js';
import { callProvider } from '../oidc-provider/provider-call.adapter.js';
import { OAUTH_PATHS } from '../oauth-paths.js';
import { ProvidersService } from '../oidc-provider/providers.service.js';
import { providerError } from '../authorization-server/provider-error.js';
import { NO_WAY_BACK, schemeNotAllowed } from '../authorization-server/refused-redirects.js';

/** The members of a client that RFC 7591 §2 and §3.2.1 define; the library's OpenID ones are not sent. */
const MEMBERS = [
  'client_id',
  'client_id_issued_at',
  'client_secret',
  'client_secret_expires_at',
  'client_name',
  'client_uri',
  'logo_uri',
  'tos_uri',
  'policy_uri',
  'redirect_uris',
  'grant_types',
  'response_types',
  'token_endpoint_auth_method',
  'token_endpoint_auth_signing_alg',
  'jwks',
  'jwks_uri',
];

export const registrationResponse = (client: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(
    MEMBERS.filter((name) => client[name] !== undefined).map((name) => [name, client[name]]),
  );

/** Bounds the database space of unauthenticated registrations: per visitor and day, and in total. */
@Injectable()
export class RegistrationRoomService {
  constructor(
    private readonly budget: RegistrationBudget,
    private readonly untried: UntriedRegistrationsService,
  ) {}

  /** Reserves space for a registration. Throws OAuthError 429 when the visitor's daily budget is spent. */
  async take(request: Request, metadata: ClientMetadata): Promise<void> {
    const bytes = storedBytes(metadata);
    const waitMs = await this.spend(request, bytes);
    if (waitMs > 0) throw spent(Math.ceil(waitMs / 1000));
    await this.untried.makeRoom(bytes);
  }

  /** Any page can make a visitor's browser register clients, so foreign pages get half of the visitor's budget. */
  private async spend(request: Request, bytes: number): Promise<number> {
    const { network } = visitorOf(request);
    if (isInPassing(request.headers)) {
      const waitMs = await this.budget.spend(`${network}:passing`, 2 * bytes);
      if (waitMs > 0) return waitMs;
    }
    return this.budget.spend(network, bytes);
  }
}

function spent(waitSeconds: number) {
  const hours = Math.ceil(waitSeconds / 3600);
  return new OAuthError(
    429,
    'temporarily_unavailable',
    `too much was registered from your network today; try again in ${hours} h`,
    { 'Retry-After': String(waitSeconds) },
  );
}

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
