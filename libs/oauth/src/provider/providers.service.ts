import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Provider } from 'oidc-provider';
import { DocumentFetch } from '../client-document/document-fetch.js';
import { OAUTH_PATHS } from '../oauth-endpoints.js';
import { OAUTH_OPTIONS, type OAuthOptions } from '../oauth.module-definition.js';
import { ResourcesService } from '../resource/resource.service.js';
import { callProvider, captureResponses } from './provider-call.js';
import {
  applyClientRules,
  keepRefreshTokensInFamily,
  providerConfiguration,
} from './provider-configuration.js';
import { AdapterFactoryService } from './provider-storage.js';

/**
 * A deployment has a handful of origins, but on loopback every port is one: without a bound, a local
 * client could fill the memory with providers by sending a `Host` with another port each time.
 */
const MAX_PROVIDERS = 32;

/** One instance of the library per origin, since an instance has one issuer. */
@Injectable()
export class ProvidersService implements OnModuleInit {
  private readonly providers = new LRUCache<string, Provider>({
    max: MAX_PROVIDERS,
    memoMethod: (origin) => this.create(origin),
  });

  constructor(
    @Inject(OAUTH_OPTIONS) private readonly options: OAuthOptions,
    private readonly adapters: AdapterFactoryService,
    private readonly documents: DocumentFetch,
    readonly resources: ResourcesService,
  ) {}

  /** Whether the providers know machine clients and their grant type. */
  get knowMachines(): boolean {
    return this.options.machineClients === true;
  }

  /** The provider of a served origin; evicts the least recently used one beyond the bound. */
  forOrigin(origin: string): Provider {
    return this.providers.memo(origin);
  }

  /** Throws UnexpectedLibraryError at the start when the installed library cannot be adapted. */
  async onModuleInit() {
    const provider = this.create('http://localhost');
    await callProvider(provider, { method: 'GET', target: OAUTH_PATHS.authorize });
  }

  private create(origin: string): Provider {
    const provider = new Provider(
      origin,
      providerConfiguration({
        origin,
        resources: this.resources.all(origin),
        grantMaxAgeMs: this.options.grantMaxAgeMs,
        machineClients: this.options.machineClients,
        adapter: this.adapters.forOrigin(origin),
        findAccount: async (_context, accountId) => ({
          accountId,
          claims: async () => ({ sub: accountId }),
        }),
        fetch: this.documents.fetch as never,
      }),
    );
    captureResponses(provider);
    keepRefreshTokensInFamily(provider);
    applyClientRules(provider, this.options.privateUseRedirectSchemes);
    return provider;
  }
}
