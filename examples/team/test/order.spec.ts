import { Browser, type Gatehouse, OAuthClient, startGatehouse } from 'gatehouse/testing';
import { extension } from '../src/acme.extension.js';

const VERSION = '2026-07-28';

interface Round {
  readonly result: {
    readonly resultType: 'input_required' | 'complete';
    readonly isError?: boolean;
    readonly inputRequests?: object;
    readonly requestState?: string;
    readonly structuredContent?: object;
  };
}

describe('an order', () => {
  let gatehouse: Gatehouse;
  let client: OAuthClient;
  let token: string;

  beforeAll(async () => {
    gatehouse = await startGatehouse({ extensions: [extension] });
    const browser = new Browser(gatehouse);
    await browser.signUp('Ann');
    client = await OAuthClient.register(gatehouse);
    ({ access_token: token } = await client.connect(browser, ['acme:greet']));
  });
  afterAll(() => gatehouse.stop());

  /** As a client of MCP 2026-07-28 that can show forms: such a one can be asked. */
  const order = async (further: object = {}) => {
    const name = 'acme_order';
    const meta = {
      'io.modelcontextprotocol/protocolVersion': VERSION,
      'io.modelcontextprotocol/clientCapabilities': { elicitation: {} },
    };
    const params = { name, arguments: { size: 'small' }, ...further, _meta: meta };
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
    const answer = await client.post('/svc/mcp', JSON.stringify(message), {
      authorization: `Bearer ${token}`,
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      'mcp-protocol-version': VERSION,
      'mcp-method': message.method,
      'mcp-name': name,
    });
    return answer.json<Round>().result;
  };

  const answered = (sure: boolean) => ({ sure: { action: 'accept', content: { sure } } });

  it('asks first, and is made after a yes', async () => {
    const { resultType, inputRequests, requestState } = await order();
    expect([resultType, Object.keys(inputRequests ?? {})]).toEqual(['input_required', ['sure']]);
    const done = await order({ requestState, inputResponses: answered(true) });
    expect(done.structuredContent).toEqual({ ordered: 'small', price: 20 });
  });

  it('is not made after a no', async () => {
    const { requestState } = await order();
    const refused = await order({ requestState, inputResponses: answered(false) });
    expect(refused.isError).toBe(true);
  });
});
