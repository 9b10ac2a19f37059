import { Provider } from 'oidc-provider';
import type { DocumentFetch } from '../client-document/document-fetch.js';
import type { ManagedAccessService } from '../managed-access/managed-access.service.js';
import { ResourcesService } from '../resource/resource.service.js';
import { SigningKeysService } from '../signing/signing-keys.service.js';
import { type AdapterFactoryService, NullAdapter } from './provider-storage.js';
import { ProvidersService } from './providers.service.js';

const MAX_PROVIDERS = 32;
const origin = (port: number) => `http://localhost:${port}`;

describe('providers', () => {
  let providers: ProvidersService;

  beforeEach(() => {
    const options = {
      serviceName: 'Test',
      scopes: [{ name: 'account:read', description: 'read' }],
      privateUseRedirectSchemes: [],
      extraFormActions: [],
      clientDocuments: { blockedHosts: [], privateHosts: [] },
    };
    providers = new ProvidersService(
      options,
      { forOrigin: () => () => new NullAdapter() } as unknown as AdapterFactoryService,
      {} as DocumentFetch,
      new ResourcesService(options),
      new SigningKeysService({}),
      { isOffered: false } as ManagedAccessService,
    );
  });
  afterEach(() => jest.restoreAllMocks());

  it('are one for each origin', () => {
    expect(providers.forOrigin(origin(1)).issuer).toBe(origin(1));
    expect(providers.forOrigin(origin(1))).toBe(providers.forOrigin(origin(1)));
    expect(providers.forOrigin(origin(1))).not.toBe(providers.forOrigin(origin(2)));
  });

  it('are bounded: the least recently used one makes room', () => {
    const [used, idle] = [providers.forOrigin(origin(1)), providers.forOrigin(origin(2))];
    for (let port = 3; port <= MAX_PROVIDERS; port += 1) providers.forOrigin(origin(port));
    expect(providers.forOrigin(origin(1))).toBe(used);
    providers.forOrigin(origin(MAX_PROVIDERS + 1));
    expect(providers.forOrigin(origin(1))).toBe(used);
    expect(providers.forOrigin(origin(2))).not.toBe(idle);
  });

  it('start with a library that does what it has to', async () => {
    await expect(providers.onModuleInit()).resolves.toBeUndefined();
  });

  it('fail the start when responses of the library cannot be captured', async () => {
    jest.spyOn(Provider.prototype, 'use').mockReturnThis();
    await expect(providers.onModuleInit()).rejects.toMatchObject({
      code: 'UNEXPECTED_OIDC_PROVIDER',
    });
  });
});
