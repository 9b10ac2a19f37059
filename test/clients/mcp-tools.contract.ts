import { changeConnection } from '../support/connection.js';
import { type Gatehouse, startGatehouse } from '../support/gatehouse.js';
import { REDIRECT_URI } from '../support/oauth-client.js';
import { TabClient } from '../support/tab-client.js';
import { Approver } from './approver.js';
import { OutsideClient } from './outside-client.js';

const METADATA = {
  client_name: 'Outside client',
  redirect_uris: [REDIRECT_URI],
  token_endpoint_auth_method: 'none',
};

interface Abilities {
  /** Whether it asks its user for a missing scope while it has a refresh token. */
  readonly stepsUp: boolean;
}

/** Calls every tool through an MCP SDK that validates the results against the announced schemas. */
export function describeMcpTools(driver: string, { stepsUp }: Abilities) {
  describe(`tools called by ${driver}`, () => {
    let gatehouse: Gatehouse;
    let approver: Approver;
    let client: OutsideClient;

    const have = async (name: string, args?: object) => {
      const { isError, structuredContent, content } = await client.call(name, args);
      if (isError) throw new Error(content[0]?.text);
      return structuredContent;
    };
    const scopesAskedFor = () =>
      client.visits.map(({ searchParams }) => searchParams.get('scope')?.split(' ').toSorted());

    beforeAll(async () => {
      gatehouse = await startGatehouse();
    });
    beforeEach(async () => {
      approver = await Approver.create(gatehouse);
      const known = { mcpUrl: `${gatehouse.origin}/svc/mcp`, metadata: METADATA };
      client = new OutsideClient(driver, known, approver);
    });
    afterEach(() => client.stop());
    afterAll(() => gatehouse.stop());

    it('do what they say', async () => {
      approver.givesAll = true;
      expect(await have('account_status')).toEqual(await approver.browser.me());
      expect(await have('list_tabs')).toEqual({ tabs: [] });
      const tab = await TabClient.open(gatehouse, approver.browser);
      expect(await have('list_tabs')).toMatchObject({ tabs: [{ id: tab.id, title: '', url: '' }] });
      expect(await have('send_message', { body: { say: 'hello' } })).toEqual({ delivered: 1 });
      expect(await tab.next('message')).toMatchObject({ body: { say: 'hello' } });
      const call = have('call_tab', { tab: tab.id, method: 'double', params: [21] });
      const { id } = await tab.next<{ id: string }>('request');
      tab.say('result', { id, ok: true, value: [42] });
      expect(await call).toEqual({ value: [42] });
      const run = { code: 'console.log("hi"); return input * 2', input: 21 };
      expect(await have('run_code', run)).toMatchObject({ value: 42, logs: ['hi'] });
      expect(client.visits).toHaveLength(1);
      await tab.close();
    });

    it('refuse with a sentence for the model', async () => {
      approver.givesAll = true;
      const unknown = await client.call('call_tab', { tab: 'no-such-tab', method: 'm' });
      expect(unknown.isError).toBe(true);
      expect(unknown.content[0]?.text).toMatch(/call list_tabs/);
      const mismatch = await client.call('send_message', { text: 'hello' });
      expect(mismatch.content[0]?.text).toMatch(/^These arguments do not fit: /);
    });

    const grantAccountOnly = async () => {
      approver.only = ['account:read'];
      await have('account_status');
      approver.only = undefined;
      await changeConnection(approver.browser, { mayAsk: false });
      expect(client.visits).toHaveLength(1);
    };

    if (stepsUp) {
      it('are granted by the user once one is called that was not', async () => {
        await grantAccountOnly();
        expect(await have('list_tabs')).toEqual({ tabs: [] });
        expect(client.visits).toHaveLength(2);
        expect(scopesAskedFor()[1]).toEqual(expect.arrayContaining(['account:read', 'tabs:read']));
        expect(await have('account_status')).toEqual(await approver.browser.me());
        expect(client.visits).toHaveLength(2);
      });
    } else {
      // It refreshes its token instead, which adds no scope, and gives up at the second 403.
      it('are granted by the user only after it forgot its tokens', async () => {
        await grantAccountOnly();
        await expect(client.call('list_tabs')).rejects.toThrow('403 after trying upscoping');
        expect(client.visits).toHaveLength(1);
        await client.forgetTokens();
        expect(await have('list_tabs')).toEqual({ tabs: [] });
        expect(client.visits).toHaveLength(2);
        expect(scopesAskedFor()[1]).toEqual(expect.arrayContaining(['account:read', 'tabs:read']));
      });
    }
  });
}
