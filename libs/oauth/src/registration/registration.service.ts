import type { IncomingMessage } from 'node:http';
import { Inject, Injectable, Logger } from '@nestjs/common';
import type { Request } from 'express';
import { isCrossSiteSubrequest, readBytes, RefusalError, visitorOf } from '#libs/accounts';
import { decodeUtf8, parseJson } from '#libs/platform/json';
import { callProvider, providerError } from '../provider/provider-call.js';
import { schemeNotAllowed } from '../authorize/authorize-refusals.js';
import { DocumentFetch } from '../client-document/document-fetch.js';
import { type ClientMetadata, registrationMetadata } from '../client/client.js';
import { ClientPolicy } from '../client/client-policy.js';
import { storedBytes } from '../client/client.store.js';
import { lacksAllowedScheme } from '../client/redirect-uri.js';
import { OAUTH_PATHS } from '../oauth-endpoints.js';
import { OAuthError } from '../oauth-error.js';
import { OAUTH_OPTIONS, type OAuthOptions } from '../oauth.module-definition.js';
import { ProvidersService } from '../provider/providers.service.js';
import { RegistrationBudget } from './registration-budget.js';
import { RegistrationStore } from './registration.store.js';

const MAX_METADATA_BYTES = 56 * 1024;

/** For the developer of a client that registers only private-use schemes. */
const NO_USABLE_REDIRECT =
  'redirect_uris have no other schemes than private-use ones, and this service redirects to none of these; ' +
  'its administrator can allow them in PRIVATE_USE_REDIRECT_SCHEMES; or register an https or loopback URI as well';

@Injectable()
export class RegistrationsService {
  private readonly logger = new Logger(RegistrationsService.name);

  constructor(
    @Inject(OAUTH_OPTIONS) private readonly options: OAuthOptions,
    private readonly documents: DocumentFetch,
    private readonly policy: ClientPolicy,
    private readonly budget: RegistrationBudget,
    private readonly store: RegistrationStore,
    private readonly providers: ProvidersService,
  ) {}

  /** Returns the client information response (RFC 7591 §3.2.1). Throws OAuthError for every refusal. */
  async register(origin: string, request: Request): Promise<Record<string, unknown>> {
    // 1. The client metadata (§2) that the request consists of.
    const metadata = registrationMetadata(await readMetadata(request));
    // 2. What this service cannot use, and the policy.
    this.expectUsableRedirect(metadata);
    const refusal = this.keySetRefusal(metadata) ?? (await this.policy.refusalOf(metadata));
    if (refusal !== undefined) throw new OAuthError(400, 'invalid_client_metadata', refusal);
    // 3. Space in the database: per visitor and day, and in total.
    const bytes = storedBytes(metadata);
    await this.spendBudget(request, bytes);
    await this.store.makeRoom(bytes);
    // 4. The library issues the identifier and the secret, and has ClientStore store the client.
    const answer = await callProvider(this.providers.forOrigin(origin), {
      method: 'POST',
      target: OAUTH_PATHS.register,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(metadata),
    });
    if (answer.status !== 201) throw providerError(answer, false);
    const { client_id, client_id_issued_at, client_secret, client_secret_expires_at } =
      answer.body as Record<string, unknown>;
    // Of RFC 7591 §2 and §3.2.1 alone: members of OpenID are not sent.
    const { application_type: _, ...registered } = metadata;
    return {
      client_id,
      client_id_issued_at,
      client_secret,
      client_secret_expires_at,
      ...registered,
    };
  }

  /** Refuses a client none of whose redirect URIs can ever be used, so that it learns this at registration. */
  private expectUsableRedirect({ redirect_uris: uris }: ClientMetadata) {
    const { privateUseRedirectSchemes: schemes } = this.options;
    if (!uris.every((uri) => lacksAllowedScheme(uri, schemes))) return;
    this.logger.warn(`a registration was refused: ${schemeNotAllowed(uris[0] ?? '')}`);
    throw new OAuthError(400, 'invalid_redirect_uri', NO_USABLE_REDIRECT);
  }

  private keySetRefusal({ jwks_uri: keySet }: ClientMetadata): string | undefined {
    const refusal = keySet === undefined ? undefined : this.documents.refusalOf(keySet);
    return refusal && `jwks_uri ${refusal}`;
  }

  /** Any page can make a visitor's browser register clients, so foreign pages get half of the visitor's budget. */
  private async spendBudget(request: Request, bytes: number) {
    const { network } = visitorOf(request);
    let waitMs = 0;
    if (isCrossSiteSubrequest(request.headers)) {
      waitMs = await this.budget.spend(`${network}:foreign`, 2 * bytes);
    }
    waitMs ||= await this.budget.spend(network, bytes);
    if (waitMs > 0) throw budgetSpent(Math.ceil(waitMs / 1000));
  }
}

async function readMetadata(request: IncomingMessage): Promise<unknown> {
  const invalid = (sentence: string, status = 400) =>
    new OAuthError(status, 'invalid_client_metadata', sentence);
  const length = request.headers['content-length'];
  const bytes = await readBytes(request, MAX_METADATA_BYTES, length).catch((error: unknown) => {
    if (!(error instanceof RefusalError) || error.status >= 500) throw error;
    const isLarge = error.status === 413;
    throw invalid(isLarge ? 'the metadata is too large' : 'the body has to be JSON', error.status);
  });
  const text = decodeUtf8(bytes);
  if (text === undefined) throw invalid('the body has to be UTF-8');
  const metadata = parseJson(text);
  if (metadata === undefined) throw invalid('the body has to be JSON');
  return metadata;
}

function budgetSpent(waitSeconds: number) {
  const hours = Math.ceil(waitSeconds / 3600);
  const sentence = `too much was registered from your network today; try again in ${hours} h`;
  const headers = { 'Retry-After': String(waitSeconds) };
  return new OAuthError(429, 'temporarily_unavailable', sentence, headers);
}
