import * as oauth from 'oauth4webapi';
import { useGatehouse } from '../support/gatehouse.js';
import { REDIRECT_URI } from '../support/oauth-client.js';
import { Approver } from './approver.js';

const LOOPBACK = { [oauth.allowInsecureRequests]: true };
const JSON_RPC = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
};

describe('oauth4webapi', () => {
  const gatehouse = useGatehouse();
  let resource: URL;
  let server: oauth.AuthorizationServer;

  const register = async (metadata: Partial<oauth.OmitSymbolProperties<oauth.Client>>) => {
    const request = { client_name: 'Strict', redirect_uris: [REDIRECT_URI], ...metadata };
    return oauth.processDynamicClientRegistrationResponse(
      await oauth.dynamicClientRegistrationRequest(server, request, LOOPBACK),
    );
  };

  /** From the authorization request to the tokens, with every answer validated by the library. */
  const authorize = async (client: oauth.Client, authentication: oauth.ClientAuth) => {
    const verifier = oauth.generateRandomCodeVerifier();
    const state = oauth.generateRandomState();
    const url = new URL(server.authorization_endpoint ?? '');
    url.search = new URLSearchParams({
      client_id: client.client_id,
      redirect_uri: REDIRECT_URI,
      response_type: 'code',
      scope: 'account:read',
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      resource: resource.href,
      state,
    }).toString();
    const approver = await Approver.create(gatehouse);
    const callback = new URL(await approver.visit(url.href));
    const params = oauth.validateAuthResponse(server, client, callback, state);
    const response = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      authentication,
      params,
      REDIRECT_URI,
      verifier,
      { ...LOOPBACK, additionalParameters: { resource: resource.href } },
    );
    return oauth.processAuthorizationCodeResponse(server, client, response);
  };

  const listTools = (accessToken: string) =>
    oauth.protectedResourceRequest(
      accessToken,
      'POST',
      resource,
      new Headers(JSON_RPC),
      JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
      LOOPBACK,
    );

  beforeAll(async () => {
    resource = new URL(`${gatehouse.origin}/svc/mcp`);
    const issuer = new URL(gatehouse.origin);
    server = await oauth.processDiscoveryResponse(
      issuer,
      await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...LOOPBACK }),
    );
  });

  it('discovers the resource, and by it the authorization server', async () => {
    const found = await oauth.processResourceDiscoveryResponse(
      resource,
      await oauth.resourceDiscoveryRequest(resource, LOOPBACK),
    );
    expect(found.authorization_servers).toEqual([server.issuer]);
    expect(found.scopes_supported).toEqual(server.scopes_supported);
    expect(server['protected_resources']).toEqual([found.resource]);
  });

  const methods: [string, () => Promise<[oauth.Client, oauth.ClientAuth]>][] = [
    ['none', async () => [await register({ token_endpoint_auth_method: 'none' }), oauth.None()]],
    [
      'client_secret_basic',
      async () => {
        const client = await register({ token_endpoint_auth_method: 'client_secret_basic' });
        return [client, oauth.ClientSecretBasic(String(client['client_secret']))];
      },
    ],
    [
      'client_secret_post',
      async () => {
        const client = await register({ token_endpoint_auth_method: 'client_secret_post' });
        return [client, oauth.ClientSecretPost(String(client['client_secret']))];
      },
    ],
    ...['ES256', 'PS256', 'Ed25519'].map((algorithm): (typeof methods)[number] => [
      `private_key_jwt with ${algorithm}`,
      async () => {
        const { publicKey, privateKey } = await oauth.generateKeyPair(algorithm);
        const jwk: object = await crypto.subtle.exportKey('jwk', publicKey);
        const client = await register({
          token_endpoint_auth_method: 'private_key_jwt',
          jwks: { keys: [{ ...jwk, kid: 'one' }] },
        });
        return [client, oauth.PrivateKeyJwt({ key: privateKey, kid: 'one' })];
      },
    ]),
  ];

  it.each(methods)('registers, authorizes, refreshes and revokes by %s', async (method, start) => {
    const [client, authentication] = await start();
    expect(method).toContain(client.token_endpoint_auth_method);
    const first = await authorize(client, authentication);
    expect([first.token_type, first.scope]).toEqual(['bearer', 'account:read']);
    expect((await listTools(first.access_token)).status).toBe(200);

    const second = await oauth.processRefreshTokenResponse(
      server,
      client,
      await oauth.refreshTokenGrantRequest(
        server,
        client,
        authentication,
        first.refresh_token ?? '',
        LOOPBACK,
      ),
    );
    expect((await listTools(second.access_token)).status).toBe(200);

    await oauth.processRevocationResponse(
      await oauth.revocationRequest(
        server,
        client,
        authentication,
        second.refresh_token ?? '',
        LOOPBACK,
      ),
    );
    const refused = listTools(second.access_token);
    await expect(refused).rejects.toBeInstanceOf(oauth.WWWAuthenticateChallengeError);
    await expect(refused).rejects.toMatchObject({
      status: 401,
      cause: [
        {
          scheme: 'bearer',
          parameters: {
            error: 'invalid_token',
            resource_metadata: `${gatehouse.origin}/.well-known/oauth-protected-resource/svc/mcp`,
          },
        },
      ],
    });
  });

  it('understands what it is refused', async () => {
    const client = await register({ token_endpoint_auth_method: 'client_secret_basic' });
    const wrong = await oauth.refreshTokenGrantRequest(
      server,
      client,
      oauth.ClientSecretBasic('wrong'),
      'x',
      LOOPBACK,
    );
    await expect(oauth.processRefreshTokenResponse(server, client, wrong)).rejects.toMatchObject({
      status: 401,
      cause: [{ scheme: 'basic' }],
    });
    const unknown = await oauth.refreshTokenGrantRequest(
      server,
      client,
      oauth.ClientSecretBasic(String(client['client_secret'])),
      'x',
      LOOPBACK,
    );
    await expect(oauth.processRefreshTokenResponse(server, client, unknown)).rejects.toMatchObject({
      status: 400,
      error: 'invalid_grant',
    });
    await expect(register({ redirect_uris: ['javascript:alert(1)'] })).rejects.toMatchObject({
      status: 400,
      error: 'invalid_redirect_uri',
    });
  });

  it('takes an authorization error that carries its state and our issuer', async () => {
    const client = await register({ token_endpoint_auth_method: 'none' });
    const state = oauth.generateRandomState();
    const { browser } = await Approver.create(gatehouse);
    const query = { client_id: client.client_id, response_type: 'code', state };
    const answer = await browser.get(`/svc/oauth/authorize?${new URLSearchParams(query)}`);
    const callback = new URL(answer.headers.location ?? 'about:blank');
    expect(() => oauth.validateAuthResponse(server, client, callback, state)).toThrow(
      expect.objectContaining({ error: 'invalid_request' }),
    );
  });
});
