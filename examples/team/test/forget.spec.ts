import {
  Browser,
  eventually,
  type Gatehouse,
  OAuthClient,
  type SoftAuthenticator,
  startGatehouse,
} from 'gatehouse/testing';
import { extension } from '../src/acme.extension.js';

interface Requests {
  readonly requests: readonly { readonly id: string; readonly passkey: boolean }[];
}

interface ToolAnswer {
  readonly result: { readonly isError?: boolean; readonly structuredContent?: object };
}

describe('forgetting greetings', () => {
  let gatehouse: Gatehouse;
  let browser: Browser;

  beforeAll(async () => {
    gatehouse = await startGatehouse({ extensions: [extension] });
  });
  beforeEach(async () => {
    browser = new Browser(gatehouse);
    await browser.signUp('Ann');
    await browser.send('PUT', '/acme/me/greetings', { count: 7 });
  });
  afterAll(() => gatehouse.stop());

  /** Calls the tool as an app that may greet, which waits for the person, and answers as the person. */
  const forget = async (decide: (path: string) => Promise<object>) => {
    const client = await OAuthClient.register(gatehouse);
    const { access_token: token } = await client.connect(browser, ['acme:greet']);
    const call = client.mcp(token, 'tools/call', { name: 'acme_forget', arguments: {} });
    const { id, passkey } = await eventually(async () => {
      const [request] = (await browser.get('/svc/me/requests')).json<Requests>().requests;
      if (!request) throw new Error('the person was not asked yet');
      return request;
    });
    expect(passkey).toBe(true);
    const path = `/svc/me/requests/${id}`;
    const decided = await browser.post(path, await decide(path));
    expect(decided.status).toBe(200);
    return (await call).json<ToolAnswer>().result;
  };
  const count = async () => (await browser.get('/acme/me/greetings')).json()['count'];

  it('is done when the person confirms it with a passkey', async () => {
    const result = await forget(async (path) => {
      const answer = await browser.post(`${path}/options`);
      const options = answer.json<Parameters<SoftAuthenticator['get']>[0]>();
      const assertion = await browser.authenticator.get(options, gatehouse.origin);
      return { decision: 'once', assertion };
    });
    expect(result.structuredContent).toEqual({ forgotten: 7 });
    expect(await count()).toBe(0);
  });

  it('is not done when the person says no', async () => {
    const result = await forget(async () => ({ decision: 'no' }));
    expect(result.isError).toBe(true);
    expect(await count()).toBe(7);
  });
});
