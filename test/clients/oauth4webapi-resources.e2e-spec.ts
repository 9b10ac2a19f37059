import { randomUUID } from 'node:crypto';
import * as oauth from 'oauth4webapi';
import { Admin } from '../support/admin.js';
import { type IssuedMachine, MACHINES } from '../support/machine-client.js';
import { JWT_BEARER, type ManagedAccess, startManagedAccess } from '../support/managed-access.js';
import { REDIRECT_URI } from '../support/oauth-client.js';
import { jsonFile } from '../support/json-file.js';
import { NOTES_ELSEWHERE as NOTES, REPORTS, ResourceFiles } from '../support/resource-files.js';
import { Approver } from './approver.js';

const LOOPBACK = { [oauth.allowInsecureRequests]: true };

type Own = typeof NOTES | typeof REPORTS;

/** As a server that is asked with this token. */
const asked = (url: string, token: string) =>
  new Request(url, { headers: { authorization: `Bearer ${token}` } });

describe('oauth4webapi, for resources elsewhere', () => {
  let files: ResourceFiles;
  let managed: ManagedAccess;
  let server: oauth.AuthorizationServer;
  let client: oauth.Client;
  let keys: { readonly privateKey: oauth.CryptoKey; readonly jwks: { readonly keys: object[] } };

  const authentication = () => oauth.PrivateKeyJwt(keys.privateKey);
  const validated = (token: string, audience: string = REPORTS.resource, by = server) =>
    oauth.validateJwtAccessToken(by, asked(audience, token), audience, LOOPBACK);
  /** As the server of a resource asks about a token. */
  const told = async (token: string, { introspection }: Own) => {
    const as = { client_id: introspection.clientId };
    const secret = oauth.ClientSecretBasic(introspection.secret);
    const answer = await oauth.introspectionRequest(server, as, secret, token, LOOPBACK);
    return oauth.processIntrospectionResponse(server, as, answer);
  };
  /** What both checks say of a good token; a server has only one of them for tokens that are not JWTs. */
  const claimsOf = async (token: string, own: Own) => {
    const about = await told(token, own);
    expect(about).toMatchObject({ active: true, iss: server.issuer, aud: own.resource });
    if (own.tokens === 'jwt') {
      const { sub, client_id: clientId, scope, exp } = await validated(token);
      expect(about).toMatchObject({ sub, client_id: clientId, scope, exp });
    }
    return about;
  };
  const revoke = async (token: string, of = client) =>
    oauth.processRevocationResponse(
      await oauth.revocationRequest(server, of, authentication(), token, LOOPBACK),
    );
  const authorize = async ({ resource, scopes: [scope] }: Own) => {
    const verifier = oauth.generateRandomCodeVerifier();
    const state = oauth.generateRandomState();
    const url = new URL(String(server.authorization_endpoint));
    url.search = new URLSearchParams({
      client_id: client.client_id,
      redirect_uri: REDIRECT_URI,
      response_type: 'code',
      scope: scope.name,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      resource,
      state,
    }).toString();
    const approver = await Approver.create(managed.gatehouse);
    const callback = new URL(await approver.visit(url.href));
    const params = oauth.validateAuthResponse(server, client, callback, state);
    const asking = { ...LOOPBACK, additionalParameters: { resource } };
    const answer = await oauth.authorizationCodeGrantRequest(
      ...([server, client, authentication(), params, REDIRECT_URI, verifier, asking] as const),
    );
    return oauth.processAuthorizationCodeResponse(server, client, answer);
  };

  beforeAll(async () => {
    const { publicKey, privateKey } = await oauth.generateKeyPair('ES256');
    keys = { privateKey, jwks: { keys: [await crypto.subtle.exportKey('jwk', publicKey)] } };
    files = await ResourceFiles.of(NOTES, REPORTS);
    managed = await startManagedAccess({
      metadata: { token_endpoint_auth_method: 'private_key_jwt', jwks: keys.jwks },
      entries: {
        acme: { name: 'Acme', scopes: ['notes:read', 'reports:read'], accounts: 'create' },
      },
      variables: { ...files.variables, ...MACHINES },
    });
    client = { client_id: managed.client.id };
    const issuer = new URL(managed.gatehouse.origin);
    const answer = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...LOOPBACK });
    server = await oauth.processDiscoveryResponse(issuer, answer);
  });
  afterAll(async () => {
    await managed.stop();
    files.remove();
  });

  describe.each([NOTES, REPORTS])('whose tokens are $tokens', (own) => {
    const scope = own.scopes[0].name;

    it('authorizes, refreshes and revokes', async () => {
      const first = await authorize(own);
      expect(first).toMatchObject({ token_type: 'bearer', scope, resource: own.resource });
      const { sub } = await claimsOf(first.access_token, own);
      const answer = await oauth.refreshTokenGrantRequest(
        server,
        client,
        authentication(),
        String(first.refresh_token),
        { ...LOOPBACK, additionalParameters: { resource: own.resource } },
      );
      const second = await oauth.processRefreshTokenResponse(server, client, answer);
      expect(await claimsOf(second.access_token, own)).toMatchObject({ sub, scope });
      await revoke(String(second.refresh_token));
      for (const { access_token: token } of [first, second]) {
        expect(await told(token, own)).toEqual({ active: false });
      }
    });

    it('gets tokens for a machine client', async () => {
      const admin = new Admin(managed.gatehouse, [], { ...files.variables, ...MACHINES });
      const made = ['clients', 'create', '--machine', '--name', 'Robot', '--scope', scope];
      const more = ['--resource', own.resource, '--jwks', jsonFile(keys.jwks)];
      const { clientId } = await admin.json<IssuedMachine>(...made, ...more);
      const machine = { client_id: clientId };
      const params = { resource: own.resource, scope };
      const answer = await oauth.clientCredentialsGrantRequest(
        ...([server, machine, authentication(), params, LOOPBACK] as const),
      );
      const { access_token: token, ...rest } = await oauth.processClientCredentialsResponse(
        ...([server, machine, answer] as const),
      );
      expect(rest).not.toHaveProperty('refresh_token');
      expect(await claimsOf(token, own)).toMatchObject({ sub: clientId, client_id: clientId });
      await revoke(token, machine);
      expect(await told(token, own)).toEqual({ active: false });
    });

    it('presents an assertion of a trusted issuer, once', async () => {
      const assertion = await managed.assertion(randomUUID(), { resource: own.resource });
      const present = async () => {
        const params = { assertion, resource: own.resource, scope };
        const answer = await oauth.genericTokenEndpointRequest(
          ...([server, client, authentication(), JWT_BEARER, params, LOOPBACK] as const),
        );
        return oauth.processGenericTokenEndpointResponse(server, client, answer);
      };
      const { access_token: token, ...rest } = await present();
      expect(rest).toMatchObject({ token_type: 'bearer', scope, resource: own.resource });
      expect(rest).not.toHaveProperty('refresh_token');
      expect(await claimsOf(token, own)).toMatchObject({ client_id: client.client_id });
      await expect(present()).rejects.toMatchObject({ status: 400, error: 'invalid_grant' });
    });
  });

  it('takes a JWT for its own audience and issuer alone, and nothing that is no JWT', async () => {
    const { access_token: token } = await authorize(REPORTS);
    await expect(validated(token)).resolves.toMatchObject({ aud: REPORTS.resource });
    await expect(validated(token, NOTES.resource)).rejects.toThrow('"aud" (audience)');
    const elsewhere = { ...server, issuer: 'https://elsewhere.example' };
    await expect(validated(token, REPORTS.resource, elsewhere)).rejects.toThrow('"iss" (issuer)');
    const { access_token: opaque } = await authorize(NOTES);
    await expect(validated(opaque, NOTES.resource)).rejects.toThrow('Invalid JWT');
    expect(await told(token, NOTES)).toEqual({ active: false });
    expect(await told(opaque, REPORTS)).toEqual({ active: false });
  });
});
