import { fixture } from '../clients/conformance-fixture/fixture.extension.js';
import { SCOPE } from '../clients/conformance-fixture/fixture-options.js';
import { Browser } from '../support/browser.js';
import { type Gatehouse, startGatehouse } from '../support/gatehouse.js';
import { OAuthClient } from '../support/oauth-client.js';

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': { elicitation: {} },
};
const NAME = 'test_input_required_result_multi_round';

interface Round {
  readonly result?: { readonly resultType: string; readonly requestState?: string };
  readonly error?: { readonly code: number };
}

describe('calls of several rounds over two replicas (contract: Questions of tools)', () => {
  let first: Gatehouse;
  let second: Gatehouse;
  let client: OAuthClient;
  let token: string;

  beforeAll(async () => {
    first = await startGatehouse({}, undefined, [fixture]);
    second = await startGatehouse({}, first, [fixture]);
    const browser = new Browser(first);
    await browser.signUp();
    client = await OAuthClient.register(first);
    ({ access_token: token } = await client.connect(browser, [SCOPE]));
  });
  afterAll(async () => {
    await second.stop();
    await first.stop();
  });

  const call = async (replica: Gatehouse, further: object = {}, bearer = token): Promise<Round> => {
    const params = { name: NAME, arguments: {}, ...further, _meta: META };
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
    const answer = await client.at(replica).post('/svc/mcp', JSON.stringify(message), {
      authorization: `Bearer ${bearer}`,
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': NAME,
    });
    return answer.json<Round>();
  };
  const answers = { step: { action: 'accept', content: { name: 'Ann' } } };
  const next = (replica: Gatehouse, { result }: Round) =>
    call(replica, { inputResponses: answers, requestState: result?.requestState });

  it('go on where they come, each round somewhere else', async () => {
    const asked = await call(first);
    const again = await next(second, asked);
    expect(again.result?.resultType).toBe('input_required');
    const done = await next(first, again);
    expect(done.result?.resultType).toBe('complete');
  });

  it('go on under their own grant, and under no other', async () => {
    const { result } = await call(first);
    const browser = new Browser(first);
    await browser.signUp();
    const stranger = await client.connect(browser, [SCOPE]);
    const stolen = await call(second, result, stranger.access_token);
    expect(stolen.error?.code).toBe(-32_602);
    expect((await call(second, result)).result?.resultType).toBe('input_required');
  });

  it('that come 32 times at once are answered 32 times: nothing is kept of them', async () => {
    const asked = await call(first);
    const replicas = Array.from({ length: 32 }, (_, n) => (n % 2 ? first : second));
    const rounds = await Promise.all(replicas.map((replica) => next(replica, asked)));
    expect(new Set(rounds.map(({ result }) => result?.resultType))).toEqual(
      new Set(['input_required']),
    );
  });
});
