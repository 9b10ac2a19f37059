import { Inject, Injectable } from '@nestjs/common';
import { Provider } from 'oidc-provider';
import { DocumentFetch } from '../clients/documents/document-fetch.adapter.js';
import { TokenReplayService } from '../grants/token-replay.service.js';
import { OAUTH_OPTIONS, type OAuthOptions } from '../oauth.module-definition.js';
import { applyClientRules } from './provider-clients.adapter.js';
import { captureResponses } from './provider-call.adapter.js';
import { providerConfiguration } from './provider-configuration.adapter.js';
import { AdapterFactoryService } from './adapter-factory.service.js';

/** A deployment has a handful of origins; on loopback every port is one. */
const MAX_PROVIDERS = 32;

/** One instance of the library per origin, since an issuer is what it is built around. */
@Injectable()
export class ProvidersService {
  private readonly providers = new Map<string, Provider>();

  constructor(
    @Inject(OAUTH_OPTIONS) private readonly options: OAuthOptions,
    private readonly adapters: AdapterFactoryService,
    private readonly documents: DocumentFetch,
    private readonly replays: TokenReplayService,
  ) {}

  /** The provider of an origin that is served; the least recently used one makes room. */
  forOrigin(origin: string): Provider {
    const provider = this.providers.get(origin) ?? this.create(origin);
    this.providers.delete(origin);
    this.providers.set(origin, provider);
    const [oldest] = this.providers.keys();
    if (this.providers.size > MAX_PROVIDERS && oldest !== undefined) this.providers.delete(oldest);
    return provider;
  }

  private create(origin: string): Provider {
    const provider = new Provider(
      origin,
      providerConfiguration({
        origin,
        scopes: this.options.scopes.map(({ name }) => name),
        adapter: this.adapters.forOrigin(origin),
        findAccount: async (_context, accountId) => ({
          accountId,
          claims: async () => ({ sub: accountId }),
        }),
        fetch: this.documents.fetch as never,
      }),
    );
    captureResponses(provider);
    // On this route the library revokes for nothing but a replay.
    provider.on('grant.revoked', ({ oidc }, grantId) => {
      if (oidc.route === 'token') void this.replays.report(grantId);
    });
    applyClientRules(provider, this.options.privateUseRedirectSchemes);
    return provider;
  }
}
