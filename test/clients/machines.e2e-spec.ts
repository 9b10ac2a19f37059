import { execFile } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import * as oauth from 'oauth4webapi';
import { Admin } from '../support/admin.js';
import { startGatehouse, useGatehouse } from '../support/gatehouse.js';
import { type IssuedMachine, MACHINES } from '../support/machine-client.js';

const run = promisify(execFile);
const GUIDE = new URL('../../docs/guides/machines.md', import.meta.url);
const DRIVER = fileURLToPath(new URL('./drivers/machine.mjs', import.meta.url));
const LOOPBACK = { [oauth.allowInsecureRequests]: true };
const SCOPES = ['account:read', 'tabs:read', 'tabs:write', 'code:run'];
const KEYS = generateKeyPairSync('ec', { namedCurve: 'P-256' });

describe('machine clients of others (contract: Machine clients)', () => {
  const gatehouse = useGatehouse(() => startGatehouse(MACHINES));
  let folder: string;
  let jwks: string;

  const make = (...more: string[]) =>
    new Admin(gatehouse, [], MACHINES).json<IssuedMachine>(
      'clients',
      'create',
      '--machine',
      '--name',
      'Robot',
      '--scope',
      ...SCOPES,
      ...more,
    );

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gatehouse-'));
    jwks = join(folder, 'keys.json');
    await writeFile(jwks, JSON.stringify({ keys: [KEYS.publicKey.export({ format: 'jwk' })] }));
  });
  afterAll(() => rm(folder, { recursive: true }));

  it.each([
    ['1', 'ClientCredentialsProvider'],
    ['1', 'PrivateKeyJwtProvider'],
    ['2', 'ClientCredentialsProvider'],
    ['2', 'PrivateKeyJwtProvider'],
  ])('the official SDK %s.x gets its tokens unaided by its %s', async (sdk, provider) => {
    const isKeyed = provider === 'PrivateKeyJwtProvider';
    const issued = await make(...(isKeyed ? ['--jwks', jwks] : []));
    const privateKey = KEYS.privateKey.export({ type: 'pkcs8', format: 'pem' });
    const proof = isKeyed ? { privateKey, algorithm: 'ES256' } : {};
    const options = { ...issued, ...proof, expectedIssuer: gatehouse.origin };
    const url = `${gatehouse.origin}/svc/mcp`;
    const { stdout } = await run(process.execPath, [
      DRIVER,
      sdk,
      provider,
      url,
      JSON.stringify(options),
    ]);
    const announced = { 'io.modelcontextprotocol/oauth-client-credentials': {} };
    expect(JSON.parse(stdout)).toMatchObject({
      extensions: sdk === '2' ? announced : null,
      // Version 2 begins with the scopes that the 401 names, and asks for the one of the tool when it calls it.
      tools: sdk === '2' ? [] : ['run_code'],
      value: 42,
      tokens: expect.arrayContaining(['access_token', 'expires_in', 'scope', 'token_type']),
    });
    expect(JSON.parse(stdout).tokens).not.toContain('refresh_token');
  });

  it('the example of the guide runs, with a scope of its own', async () => {
    const scope = ['clients', 'create', '--machine', '--name', 'Nightly', '--scope', 'code:run'];
    const issued = await new Admin(gatehouse, [], MACHINES).json<IssuedMachine>(...scope);
    const guide = await readFile(GUIDE, 'utf8');
    const [, script = ''] = /^```js\n([^]+?)^```$/m.exec(guide) ?? [];
    const { stdout } = await run(
      process.execPath,
      [
        '--input-type=module',
        '--eval',
        script.replaceAll('https://gate.example', gatehouse.origin),
      ],
      { env: { CLIENT_ID: issued.clientId, CLIENT_SECRET: issued.clientSecret } },
    );
    expect(stdout).toBe('42\n');
  });

  describe('oauth4webapi', () => {
    let server: oauth.AuthorizationServer;

    const authenticationOf = async (method: string): Promise<[oauth.Client, oauth.ClientAuth]> => {
      if (method === 'client_secret_basic') {
        const { clientId, clientSecret = '' } = await make();
        return [{ client_id: clientId }, oauth.ClientSecretBasic(clientSecret)];
      }
      const { clientId } = await make('--jwks', jwks);
      const pkcs8 = KEYS.privateKey.export({ type: 'pkcs8', format: 'der' });
      const algorithm = { name: 'ECDSA', namedCurve: 'P-256' };
      const key = await crypto.subtle.importKey('pkcs8', pkcs8, algorithm, false, ['sign']);
      return [{ client_id: clientId }, oauth.PrivateKeyJwt(key)];
    };

    beforeAll(async () => {
      const issuer = new URL(gatehouse.origin);
      const answer = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...LOOPBACK });
      server = await oauth.processDiscoveryResponse(issuer, answer);
    });

    it.each(['client_secret_basic', 'private_key_jwt'])('does the grant by %s', async (method) => {
      const [client, authentication] = await authenticationOf(method);
      const resource = `${gatehouse.origin}/svc/mcp`;
      const ask = (params: Record<string, string>) =>
        oauth.clientCredentialsGrantRequest(server, client, authentication, params, LOOPBACK);
      const tokens = await oauth.processClientCredentialsResponse(
        server,
        client,
        await ask({ scope: 'code:run', resource }),
      );
      expect(tokens).toMatchObject({
        token_type: 'bearer',
        expires_in: 3600,
        scope: 'code:run',
        resource,
      });
      const refused = await ask({ scope: 'code:walk' });
      await expect(
        oauth.processClientCredentialsResponse(server, client, refused),
      ).rejects.toMatchObject({ status: 400, error: 'invalid_scope' });
      await oauth.processRevocationResponse(
        await oauth.revocationRequest(
          server,
          client,
          authentication,
          tokens.access_token,
          LOOPBACK,
        ),
      );
    });

    it('gets an error for an assertion that was used before', async () => {
      const [client, authentication] = await authenticationOf('private_key_jwt');
      let sent: URLSearchParams | undefined;
      const keeping: oauth.ClientAuth = async (as, one, body, headers) => {
        await authentication(as, one, body, headers);
        sent = body;
      };
      const url = new URL(String(server.token_endpoint));
      const first = await oauth.clientCredentialsGrantRequest(
        ...([server, client, keeping, {}, LOOPBACK] as const),
      );
      expect(first.status).toBe(200);
      const again = await Promise.all(
        Array.from({ length: 4 }, () =>
          fetch(url, { method: 'POST', body: new URLSearchParams(sent) }),
        ),
      );
      expect(again.map(({ status }) => status)).toEqual([401, 401, 401, 401]);
      expect(await again[0]?.json()).toMatchObject({ error: 'invalid_client' });
    });
  });
});
