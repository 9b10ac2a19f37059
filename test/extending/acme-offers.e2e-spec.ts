import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/server';
import { eventually } from '#libs/platform/testing';
import { Browser } from '../support/browser.js';
import { OAuthClient } from '../support/oauth-client.js';
import { extension as acme } from '../../examples/team/src/acme.extension.js';
import { startTeamApp } from './team-app.js';

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': { elicitation: {} },
};

interface Asked {
  readonly requests: readonly { readonly id: string }[];
}

interface Answer {
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly code: number; readonly message: string };
}

/** A client of 2026-07-28 with a user's permission to greet. */
class AcmeClient {
  private constructor(
    readonly browser: Browser,
    private readonly client: OAuthClient,
    private readonly token: string,
  ) {}

  static async connect(place: { port: number; origin: string }, displayName: string) {
    const browser = new Browser(place);
    await browser.signUp(displayName);
    const client = await OAuthClient.register(place);
    const { access_token: token } = await client.connect(browser, ['acme:shop', 'acme:greet']);
    return new AcmeClient(browser, client, token);
  }

  async send(method: string, params: object, name?: string): Promise<Answer> {
    const message = { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: META } };
    const answer = await this.client.post('/svc/mcp', JSON.stringify(message), {
      authorization: `Bearer ${this.token}`,
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(name === undefined ? {} : { 'mcp-name': name }),
    });
    return answer.json<Answer>();
  }

  order(further: object = {}, size = 'small') {
    const params = { name: 'acme_order', arguments: { size }, ...further };
    return this.send('tools/call', params, 'acme_order');
  }
}

describe('what a team offers beside tools', () => {
  let stop: () => Promise<void>;
  let place: { port: number; origin: string };
  let client: AcmeClient;

  beforeAll(async () => {
    const started = await startTeamApp(acme);
    ({ stop } = started);
    place = { port: started.port, origin: `http://localhost:${started.port}` };
    client = await AcmeClient.connect(place, 'Ann');
  });
  afterAll(() => stop());

  it('is a resource', async () => {
    const read = (uri: string) => client.send('resources/read', { uri }, uri);
    const { result } = await read('acme://anvils/large');
    expect(result?.['contents']).toMatchObject([{ text: 'A large anvil of 50 kg' }]);
    expect((await read('acme://anvils/huge')).error?.code).toBe(-32_602);
    const { result: listed } = await client.send('resources/templates/list', {});
    expect(listed?.['resourceTemplates']).toContainEqual(
      expect.objectContaining({ uriTemplate: 'acme://anvils/{size}' }),
    );
  });

  it('is a prompt', async () => {
    const params = { name: 'acme_birthday', arguments: { to: 'Wile', tone: 'funny' } };
    const { result } = await client.send('prompts/get', params, 'acme_birthday');
    const text = 'Write a funny birthday greeting from Ann to Wile.';
    expect(result?.['messages']).toMatchObject([{ role: 'user', content: { text } }]);
  });

  it.each([
    [true, { structuredContent: { ordered: 'small', price: 20 } }],
    [false, { isError: true, content: [{ text: 'The user said no.' }] }],
  ])('is a tool that asks first: %s', async (sure, expected) => {
    const { result } = await client.order();
    expect(result).toMatchObject({ resultType: 'input_required', inputRequests: { sure: {} } });
    const inputResponses = { sure: { action: 'accept', content: { sure } } };
    const { requestState } = result ?? {};
    const { result: answer } = await client.order({ inputResponses, requestState });
    expect(answer).toMatchObject(expected);
    const { error } = await client.order({ inputResponses, requestState }, 'large');
    expect(error?.code).toBe(-32_602);
  });

  it('is a tool that runs when its person confirms it with a passkey', async () => {
    const { browser } = client;
    await browser.send('PUT', '/acme/me/greetings', { count: 7 });
    const call = client.send('tools/call', { name: 'acme_forget', arguments: {} }, 'acme_forget');
    const id = await eventually(async () => {
      const { requests } = (await browser.get('/svc/me/requests')).json<Asked>();
      expect(requests).toMatchObject([{ title: 'Forget all greetings', passkey: true }]);
      return requests[0]?.id;
    });
    const path = `/svc/me/requests/${id}`;
    expect((await browser.post(path, { decision: 'once' })).status).toBe(403);
    expect((await browser.get('/acme/me/greetings')).json()).toEqual({ count: 7 });
    const answer = await browser.post(`${path}/options`);
    const options = answer.json<PublicKeyCredentialRequestOptionsJSON>();
    const assertion = await browser.authenticator.get(options, place.origin);
    expect((await browser.post(path, { decision: 'once', assertion })).status).toBe(200);
    expect((await call).result).toMatchObject({ structuredContent: { forgotten: 7 } });
    expect((await browser.get('/acme/me/greetings')).json()).toEqual({ count: 0 });
  });

  it('is hidden from whom the policy hides it', async () => {
    const coyote = await AcmeClient.connect(place, 'Coyote');
    const { error } = await coyote.order();
    expect(error).toMatchObject({
      code: -32_602,
      message: expect.stringMatching(/^there is no such tool/),
    });
    const uri = 'acme://anvils/large';
    const read = await coyote.send('resources/read', { uri }, uri);
    expect(read.error).toMatchObject({
      code: -32_602,
      message: expect.stringMatching(/^there is no such resource/),
    });
    const prompt = { name: 'acme_birthday', arguments: { to: 'Wile' } };
    const got = await coyote.send('prompts/get', prompt, 'acme_birthday');
    expect(got.error).toMatchObject({
      code: -32_602,
      message: expect.stringMatching(/^there is no such prompt/),
    });
    const ref = { type: 'ref/prompt', name: 'acme_birthday' };
    const complete = { ref, argument: { name: 'tone', value: '' } };
    expect((await coyote.send('completion/complete', complete)).error?.code).toBe(-32_602);
    expect((await client.send('completion/complete', complete)).error).toBeUndefined();
    for (const [method, name] of [
      ['tools/list', 'acme_order'],
      ['resources/templates/list', 'acme_anvil'],
      ['prompts/list', 'acme_birthday'],
    ] as const) {
      expect(JSON.stringify((await coyote.send(method, {})).result)).not.toContain(name);
      expect(JSON.stringify((await client.send(method, {})).result)).toContain(name);
    }
  });
});
