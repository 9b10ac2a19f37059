import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { Admin } from '../support/admin.js';
import { advanceClock, restoreClock } from '#libs/platform/testing';
import { type DocumentHost, startDocumentHost } from '#libs/oauth/testing';
import { type Gatehouse, startGatehouse } from '../support/gatehouse.js';
import { REDIRECT_URI } from '../support/oauth-client.js';
import { itWithClock } from '../support/services/describe-with.js';
import { Approver } from './approver.js';
import { OutsideClient } from './outside-client.js';

const HOUR = 60 * 60 * 1000;
const METADATA = {
  client_name: 'Outside client',
  redirect_uris: [REDIRECT_URI],
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  token_endpoint_auth_method: 'none',
};

/**
 * An MCP SDK that knows only the MCP URL gets to the tools through its built-in OAuth flow, and stays authorized: one
 * driver of `drivers/`, by the protocol revision that it negotiates.
 */
export function describeMcpOAuth(driver: string, protocol: string) {
  describe(`OAuth flow of ${driver}`, () => {
    const trusted = getCACertificates('default');
    let documents: DocumentHost;
    let gatehouse: Gatehouse;
    let approver: Approver;
    let client: OutsideClient;

    const start = (metadata: object = {}, documentUrl?: string) => {
      const mcpUrl = `${gatehouse.origin}/svc/mcp`;
      const known = { mcpUrl, metadata: { ...METADATA, ...metadata }, documentUrl };
      client = new OutsideClient(driver, known, approver);
      return client;
    };
    const clientIds = async () =>
      (await new Admin(gatehouse).json<{ items: { id: string }[] }>('clients', 'list')).items.map(
        ({ id }) => id,
      );
    const apps = async () =>
      (await approver.browser.get('/svc/me/apps')).json<{ apps: { id: string; app: string }[] }>()
        .apps;

    beforeAll(async () => {
      documents = await startDocumentHost({ '/client.json': METADATA });
      setDefaultCACertificates([...trusted, documents.certificate]);
      gatehouse = await startGatehouse({ CIMD_PRIVATE_HOSTS: documents.privateHost });
    });
    beforeEach(async () => {
      approver = await Approver.create(gatehouse);
    });
    afterEach(async () => {
      restoreClock();
      await client.stop();
    });
    afterAll(async () => {
      await gatehouse.stop();
      setDefaultCACertificates(trusted);
      await documents.close();
    });

    it('registers, asks its user once and uses the tools', async () => {
      const before = await clientIds();
      const used = await start().use();
      expect(used.protocol).toBe(protocol);
      expect(used.tools).toContain('account_status');
      expect(used.account).toEqual(await approver.browser.me());
      expect(await clientIds()).toEqual([used.clientId, ...before]);
      expect(client.visits).toHaveLength(1);
      const query = client.visits[0]?.searchParams;
      expect(query?.get('client_id')).toBe(used.clientId);
      expect(query?.get('resource')).toBe(`${gatehouse.origin}/svc/mcp`);
      expect(await apps()).toEqual([expect.objectContaining({ app: 'Outside client' })]);
    });

    it('names itself by its document instead, without registering', async () => {
      const before = await clientIds();
      const address = documents.url('/client.json');
      const used = await start({}, address).use();
      expect(used.clientId).toBe(address);
      expect(used.account).toEqual(await approver.browser.me());
      expect(new Set(await clientIds())).toEqual(new Set([address, ...before]));
      expect(await apps()).toEqual([
        expect.objectContaining({ published: new URL(address).hostname }),
      ]);
      expect(documents.countOf('/client.json')).toBe(1);
    });

    const kinds: [string, () => OutsideClient][] = [
      ['published', () => start({}, documents.url('/client.json'))],
      ['public', start],
      ...['client_secret_basic', 'client_secret_post'].map((method): (typeof kinds)[number] => [
        method,
        () => start({ token_endpoint_auth_method: method }),
      ]),
    ];

    for (const [kind, begin] of kinds) {
      itWithClock(`refreshes as a ${kind} client without its user`, async () => {
        const first = await begin().use();
        for (let time = 1; time <= 2; time += 1) {
          advanceClock(HOUR);
          expect((await client.use()).account.user).toEqual(first.account.user);
        }
        const { tokens } = await client.use();
        expect(tokens.access_token).not.toBe(first.tokens.access_token);
        expect(tokens.refresh_token).not.toBe(first.tokens.refresh_token);
        expect(client.visits).toHaveLength(1);
        expect(await apps()).toHaveLength(1);
      });
    }

    it('asks its user again once that user has disconnected it', async () => {
      const first = await start().use();
      const [app] = await apps();
      await approver.browser.send('DELETE', `/svc/me/apps/${app?.id}`);
      expect((await client.use()).account.user).toEqual(first.account.user);
      expect(client.visits).toHaveLength(2);
      expect(await apps()).toHaveLength(1);
    });
  });
}
