import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { SignJWT } from 'jose';
import { type DocumentHost, hostIdentity, startDocumentHost } from '#libs/oauth/testing';
import { JWT_BEARER, type ManagedAccess, startManagedAccess } from '../support/managed-access.js';
import { OAuthClient, REDIRECT_URI } from '../support/oauth-client.js';

const KEYS = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const JWKS = { keys: [KEYS.publicKey.export({ format: 'jwk' })] };
const ASSISTANT = {
  client_name: 'Assistant',
  redirect_uris: [REDIRECT_URI],
  token_endpoint_auth_method: 'private_key_jwt',
  jwks: JWKS,
};
const UNKNOWN = {
  error: 'invalid_client',
  error_description: 'unknown client; it has to ask its user for consent again',
};

describe('managed access of clients with a metadata document (contract: Managed access)', () => {
  let host: DocumentHost;
  let listed: string;
  let managed: ManagedAccess;

  /** Presents an assertion as a client that proves itself by its keys. */
  const present = async (clientId: string) => {
    const proof = new SignJWT({ jti: randomUUID() })
      .setProtectedHeader({ alg: 'ES256' })
      .setIssuer(clientId)
      .setSubject(clientId)
      .setAudience(managed.gatehouse.origin)
      .setExpirationTime('1 minute');
    return OAuthClient.published(managed.gatehouse, clientId).token({
      grant_type: JWT_BEARER,
      assertion: await managed.assertion('ann', { client_id: clientId }),
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: await proof.sign(KEYS.privateKey),
    });
  };

  beforeAll(async () => {
    const identity = hostIdentity();
    host = await startDocumentHost({}, '127.0.0.1', identity);
    listed = host.publish('/assistant', ASSISTANT);
    const acme = { name: 'Acme', scopes: ['account:read'], accounts: 'create', clients: [listed] };
    managed = await startManagedAccess({
      identity,
      entries: { acme },
      variables: { CIMD_PRIVATE_HOSTS: host.privateHost },
    });
  });
  afterAll(async () => {
    await managed.stop();
    await host.close();
  });

  it('401 | one that no issuer lists, whose document is not asked for', async () => {
    const answer = await present(host.publish('/other', ASSISTANT));
    expect([answer.status, answer.json()]).toEqual([401, UNKNOWN]);
    expect(host.requests).toEqual([]);
  });

  it('gives a token to one that the issuer lists, which the service never met', async () => {
    const answer = await present(listed);
    expect([answer.status, answer.json()]).toEqual([
      200,
      expect.objectContaining({ scope: 'account:read', expires_in: 3600 }),
    ]);
    expect(host.countOf('/assistant')).toBe(1);
    const { access_token: token } = answer.json<{ access_token: string }>();
    const client = OAuthClient.published(managed.gatehouse, listed);
    expect((await client.mcp(token)).status).toBe(200);
    const granted = managed.events.find(({ type }) => type === 'managed-access-granted');
    expect(granted).toMatchObject({ clientId: listed, app: 'Assistant' });
  });
});
