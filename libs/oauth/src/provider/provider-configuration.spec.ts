import { generateKeyPairSync } from 'node:crypto';
import { type AdapterPayload, Provider } from 'oidc-provider';
import { hashSecret } from '#libs/accounts';
import {
  CLIENT_ASSERTION_ALGORITHMS,
  CLIENT_AUTH_METHODS,
} from '../client/client-authentication.js';
import { documentMetadata, registrationMetadata } from '../client/client.js';
import {
  applyClientRules,
  providerConfiguration,
  replaceMethods,
} from './provider-configuration.js';
import { NULL_ADAPTER } from './provider-storage.js';

const origin = 'http://localhost:3000';
const library = (adapter = NULL_ADAPTER) =>
  new Provider(
    origin,
    providerConfiguration({ origin, resources: [], adapter: () => adapter } as never),
  );

describe('replacing methods of the library', () => {
  const prototype = () => ({ name: 'ours', greet: (who: string) => `Hello ${who}` });

  it('puts ours in the place of those that are there', () => {
    const replaced = prototype();
    replaceMethods(replaced, {
      greet(who) {
        return `${this.name}: ${who}`;
      },
    });
    expect(replaced.greet('Ann')).toBe('ours: Ann');
  });

  it.each<[string, object, string]>([
    ['is missing', { name: 'ours' }, 'there is no greet()'],
    ['takes more', { greet: (a: string, b: string) => a + b }, '2 parameters instead of 1'],
    ['takes less', { greet: () => 'Hello' }, '0 parameters instead of 1'],
  ])('throws when one %s, and replaces nothing', (_what, theirs, difference) => {
    const before = { ...theirs };
    const replacing = () =>
      replaceMethods(theirs as ReturnType<typeof prototype>, {
        greet: (who) => who,
      });
    expect(replacing).toThrow(expect.objectContaining({ code: 'UNEXPECTED_OIDC_PROVIDER' }));
    expect(replacing).toThrow(difference);
    expect(theirs).toEqual(before);
  });

  it.each([
    ['redirectUriAllowed', 'there is no redirectUriAllowed()'],
    ['compareClientSecret', 'there is no compareClientSecret()'],
  ])('a library without %s is not accepted', (name, difference) => {
    const provider = library();
    Reflect.deleteProperty(provider.Client.prototype, name);
    expect(() => applyClientRules(provider, [])).toThrow(difference);
  });

  it('a library without the schema of clients is not accepted', () => {
    const provider = library();
    Object.defineProperty(provider.Client, 'Schema', { value: undefined });
    expect(() => applyClientRules(provider, [])).toThrow('there is no Client.Schema');
  });
});

const ID = 'https://app.example/client.json';
const REDIRECTS = [
  'https://app.example/cb',
  'https://localhost/cb',
  'http://127.0.0.9/cb',
  'http://[::1]/cb',
  'http://localhost:1/cb',
  'cursor://app/cb',
  'com.example.app:/cb',
];
const jwk = () => generateKeyPairSync('ec', { namedCurve: 'P-256' });
const publicJwk = JSON.stringify(jwk().publicKey.export({ format: 'jwk' }));
const jwks = { keys: [JSON.parse(publicJwk)] };

const stored = new Map<string, AdapterPayload>();
const provider = library({ ...NULL_ADAPTER, find: async (id) => stored.get(id) });
applyClientRules(provider, ['cursor']);

async function known(payload: AdapterPayload) {
  stored.set(String(payload.client_id), payload);
  const client = await provider.Client.find(String(payload.client_id));
  if (!client) throw new Error('the library does not know the client');
  return client;
}

describe('provider with our client rules', () => {
  it.each<[string, object]>([
    ['as they come', {}],
    ['native', { application_type: 'native' }],
    ['web', { application_type: 'web' }],
    ['with keys', { token_endpoint_auth_method: 'private_key_jwt', jwks }],
    ...CLIENT_ASSERTION_ALGORITHMS.map((algorithm): [string, object] => [
      `with ${algorithm}`,
      {
        token_endpoint_auth_method: 'private_key_jwt',
        token_endpoint_auth_signing_alg: algorithm,
        jwks_uri: 'https://app.example/jwks',
      },
    ]),
  ])('takes published clients %s', async (_what, members) => {
    const document = { client_id: ID, redirect_uris: REDIRECTS, ...members };
    const client = await known({ ...documentMetadata(document, ID) });
    expect(client).toMatchObject({ clientId: ID, redirectUris: REDIRECTS });
    expect(client.grantTypeAllowed('refresh_token')).toBe(true);
  });

  it.each(CLIENT_AUTH_METHODS)('takes registered clients with %s', async (method) => {
    const metadata = registrationMetadata({
      redirect_uris: REDIRECTS,
      client_name: '<b>',
      logo_uri: 'https://app.example/logo',
      token_endpoint_auth_method: method,
      jwks,
    });
    const secret = method.startsWith('client_secret') ? { client_secret: hashSecret('s') } : {};
    const client = await known({ client_id: `id-${method}`, ...metadata, ...secret });
    expect(client.metadata()).toMatchObject({ redirect_uris: REDIRECTS });
    expect(client.compareClientSecret('s')).toBe(method.startsWith('client_secret'));
    expect(client.compareClientSecret(hashSecret('s'))).toBe(false);
    expect(client.compareClientSecret('')).toBe(false);
  });

  it.each([
    ['http://127.0.0.9:4711/cb', true],
    ['http://[::1]:4711/cb', true],
    ['http://localhost/cb', true],
    ['https://localhost/cb', true],
    ['cursor://app/cb', true],
    ['com.example.app:/cb', false],
    ['https://localhost:4711/cb', false],
    ['http://127.0.0.1:4711/cb', false],
    ['https://app.example/cb2', false],
  ])('allows the redirect URI %s: %s', async (uri, allowed) => {
    const document = { client_id: ID, redirect_uris: REDIRECTS };
    const client = await known({ ...documentMetadata(document, ID) });
    expect(client.redirectUriAllowed(uri)).toBe(allowed);
  });

  it('refuses to know a client with a redirect URI that we refuse', async () => {
    const bad = { client_id: 'bad', redirect_uris: ['http://app.example/cb'] };
    const finding = known({ ...bad, token_endpoint_auth_method: 'none' });
    await expect(finding).rejects.toMatchObject({ error: 'invalid_redirect_uri' });
  });
});
