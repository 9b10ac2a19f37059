import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type ManagedAccess, startManagedAccess } from '../support/managed-access.js';

const DRIVER = fileURLToPath(new URL('drivers/cross-app-access.mjs', import.meta.url));
const EXTENSION = 'io.modelcontextprotocol/enterprise-managed-authorization';

interface Outcome {
  readonly extensions: object;
  readonly account: { readonly user: { readonly displayName: string } };
  readonly tokens: readonly string[];
}

describe('CrossAppAccessProvider of @modelcontextprotocol/client 2.x', () => {
  let managed: ManagedAccess;

  beforeAll(async () => {
    const metadata = { token_endpoint_auth_method: 'client_secret_basic' };
    managed = await startManagedAccess({ metadata });
  });
  afterAll(() => managed.stop());

  it('gets its token unaided, from the 401 to the call of a tool', async () => {
    const { gatehouse, idp, client, certificateFile } = managed;
    const subject = randomUUID();
    const settings = {
      origin: gatehouse.origin,
      idpUrl: idp.issuer('acme'),
      idToken: `${subject} for ${client.id}`,
      clientId: client.id,
      clientSecret: client.secret,
    };
    const { stdout } = await promisify(execFile)(process.execPath, [DRIVER], {
      env: { NODE_EXTRA_CA_CERTS: certificateFile, SETTINGS: JSON.stringify(settings) },
    });
    const { extensions, account, tokens } = JSON.parse(stdout) as Outcome;
    expect(extensions).toEqual({ [EXTENSION]: {} });
    expect(account.user.displayName).toBe(`Acme ${subject.slice(0, 8)}`);
    expect(tokens).toContain('access_token');
    expect(tokens).not.toContain('refresh_token');
  });

  it('finds the grant type, and the profile, in the metadata', async () => {
    const answer = await managed.client
      .at(managed.gatehouse)
      .send('GET', '/.well-known/oauth-authorization-server');
    expect(answer.json()).toMatchObject({
      grant_types_supported: [
        'authorization_code',
        'refresh_token',
        'urn:ietf:params:oauth:grant-type:jwt-bearer',
      ],
      authorization_grant_profiles_supported: ['urn:ietf:params:oauth:grant-profile:id-jag'],
    });
  });
});
