import { createHash } from 'node:crypto';
import { DataSource } from 'typeorm';
import { Browser } from '../support/browser.js';
import { useGatehouse } from '../support/gatehouse.js';
import { OAuthClient } from '../support/oauth-client.js';

const TABLES = ['oauth_clients', 'oauth_consents', 'oauth_grants', 'oauth_tokens'];

/** Reads rows of the database, because nothing else shows how secrets are stored. */
describe('secrets at rest (contract: Client registration)', () => {
  const gatehouse = useGatehouse();

  const stored = async () => {
    const { manager } = gatehouse.app.get(DataSource);
    return JSON.stringify(await Promise.all(TABLES.map((table) => manager.find(table))));
  };

  it('of a client’s secret, a handle, a code and tokens the SHA-256 is all that is kept', async () => {
    const browser = new Browser(gatehouse);
    await browser.signUp();
    const client = await OAuthClient.register(gatehouse, {
      token_endpoint_auth_method: 'client_secret_post',
    });
    const { access_token: access, refresh_token: refresh } = await client.connect(browser);
    const handle = await client.showConsent(browser);
    const code = await client.authorize(browser);
    const rows = await stored();
    for (const secret of [client.secret ?? '', access, refresh, handle, code]) {
      expect(secret).toMatch(/^[\w~-]{32,}$/);
      expect(rows).not.toContain(secret);
      expect(rows).toContain(createHash('sha256').update(secret).digest('base64url'));
    }
  });
});
