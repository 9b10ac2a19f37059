import { createSecretKey, randomBytes } from 'node:crypto';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Provider } from 'oidc-provider';
import { AccessDecisionsService } from '../access-policy/access-decision.service.js';
import { DocumentFetch } from '../client-document/document-fetch.js';
import { latestEndOf } from '../grant/grant.js';
import { OAUTH_PATHS } from '../oauth-endpoints.js';
import { OAUTH_OPTIONS, type OAuthOptions } from '../oauth.module-definition.js';
import { type Resource, ResourcesService } from '../resource/resource.js';
import type { SigningKey } from '../signing/signing-key.js';
import { SigningKeysService } from '../signing/signing-keys.service.js';
import { callProvider, captureResponses } from './provider-call.js';
import {
  accessTokenSeconds,
  addJwtBearer,
  applyClientRules,
  authenticateRefreshTokens,
  providerConfiguration,
  resourceServerOf,
  storeJwts,
} from './provider-configuration.js';
import { AdapterFactoryService } from './provider-storage.js';

/** On loopback every port is an origin: a local client could fill the memory by sending `Host` with other ports. */
const MAX_PROVIDERS = 32;

/** One instance of the library per origin, since an instance has one issuer; all have the key that signs now. */
@Injectable()
export class ProvidersService implements OnModuleInit {
  private readonly providers = new LRUCache<string, Provider>({
    max: MAX_PROVIDERS,
    memoMethod: (origin) => this.create(origin, this.signer),
  });
  private signer: SigningKey | undefined;
  /** Replaced at the start. */
  private refreshTokenKey = createSecretKey(randomBytes(32));

  constructor(
    @Inject(OAUTH_OPTIONS) private readonly options: OAuthOptions,
    private readonly adapters: AdapterFactoryService,
    private readonly documents: DocumentFetch,
    readonly resources: ResourcesService,
    readonly keys: SigningKeysService,
    readonly access: AccessDecisionsService,
  ) {}

  /** The provider of a served origin; evicts the least recently used one beyond the bound. */
  forOrigin(origin: string): Provider {
    const signer = this.keys.signer();
    // A provider keeps its keys. A key of the same kid may be another one.
    if (signer !== this.signer) this.providers.clear();
    this.signer = signer;
    return this.providers.memo(origin);
  }

  /** How access tokens are made for a resource and a grant. */
  accessTokensFor(resource: Resource, grant: Parameters<typeof latestEndOf>[0]) {
    const server = resourceServerOf(resource, this.keys.signer());
    const endsAt = latestEndOf(grant, this.options.grantMaxAgeMs);
    return { server, expiresIn: accessTokenSeconds(server, endsAt) };
  }

  /** Throws UnexpectedLibraryError at the start when the installed library cannot be adapted. */
  async onModuleInit() {
    this.refreshTokenKey = await this.adapters.tokens.refreshTokenKey();
    const provider = this.create('http://localhost', this.keys.signer());
    await callProvider(provider, { method: 'GET', target: OAUTH_PATHS.authorize });
  }

  private create(origin: string, signer: SigningKey | undefined): Provider {
    const configuration = providerConfiguration({
      origin,
      resources: this.resources.all(origin),
      signer,
      grantMaxAgeMs: this.options.grantMaxAgeMs,
      machineClients: this.options.machineClients,
      adapter: this.adapters.forOrigin(origin),
      findAccount: async (_context, accountId) => ({
        accountId,
        claims: async () => ({ sub: accountId }),
      }),
      fetch: this.documents.fetch as never,
    });
    const provider = new Provider(origin, configuration);
    if (this.options.trustedIssuers) addJwtBearer(provider);
    captureResponses(provider);
    authenticateRefreshTokens(provider, this.refreshTokenKey);
    storeJwts(provider);
    applyClientRules(provider, this.options.privateUseRedirectSchemes);
    return provider;
  }
}
