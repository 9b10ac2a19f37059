import { createSecretKey, randomBytes } from 'node:crypto';
import { Logger } from '@nestjs/common';
import { Provider } from 'oidc-provider';
import type { DocumentFetch } from '../client-document/document-fetch.js';
import { ResourcesService } from '../resource/resource.js';
import { generateSigningKey, parseSigningKeys, signingKeysText } from '../signing/signing-key.js';
import { SigningKeysService } from '../signing/signing-keys.service.js';
import { type AdapterFactoryService, NULL_ADAPTER } from './provider-storage.js';
import { ProvidersService } from './providers.service.js';

const MAX_PROVIDERS = 32;
const origin = (port: number) => `http://localhost:${port}`;

const options = {
  serviceName: 'Test',
  scopes: [{ name: 'account:read', description: 'read' }],
  privateUseRedirectSchemes: [],
  extraFormActions: [],
  clientDocuments: { blockedHosts: [], privateHosts: [] },
};

const providersWith = (keys: SigningKeysService) =>
  new ProvidersService(
    options,
    {
      forOrigin: () => () => NULL_ADAPTER,
      tokens: { refreshTokenKey: async () => createSecretKey(randomBytes(32)) },
    } as unknown as AdapterFactoryService,
    {} as DocumentFetch,
    new ResourcesService(options),
    keys,
    {} as ProvidersService['access'],
  );

describe('providers', () => {
  let providers: ProvidersService;

  beforeEach(() => {
    providers = providersWith(new SigningKeysService({}));
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

  it('are new with another signing key, even under the kid of the one before', async () => {
    jest.spyOn(Logger.prototype, 'log').mockReturnValue();
    const file = async () =>
      signingKeysText([{ ...(await generateSigningKey('ES256')), kid: 'one', signsFrom: 1 }]);
    let text = await file();
    const keys = new SigningKeysService({ readSigningKeys: () => parseSigningKeys(text) });
    keys.onModuleInit();
    const withKeys = providersWith(keys);
    const [here, there] = [withKeys.forOrigin(origin(1)), withKeys.forOrigin(origin(2))];
    keys.read();
    expect(withKeys.forOrigin(origin(1))).toBe(here);
    text = await file();
    keys.read();
    expect(withKeys.forOrigin(origin(1))).not.toBe(here);
    expect(withKeys.forOrigin(origin(2))).not.toBe(there);
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
