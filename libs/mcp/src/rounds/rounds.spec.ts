import { Injectable } from '@nestjs/common';
import { legacyEra, modernEra } from '../testbed/mcp-eras.testbed.js';
import { ResourceServer } from '../testbed/resource-server.testbed.js';
import type { McpCaller, ToolRun } from '../call.js';
import { McpTool } from '../tool.js';
import { elicit, elicitUrl, inputRequired } from '../question.js';

const described = (name: string) =>
  ({
    name,
    title: name,
    description: name,
    scope: 'account:read',
    inputSchema: { type: 'object' },
  }) as const;

const SURE = elicit({
  message: 'Sure?',
  requestedSchema: { type: 'object', properties: { yes: { type: 'boolean' } } },
});

@Injectable()
class Asking {
  @McpTool(described('delete'))
  remove(_input: object, { user }: McpCaller, run: ToolRun) {
    if (run.requestState === undefined) {
      return inputRequired({ sure: SURE }, { asked: user.displayName });
    }
    return { state: run.requestState, answer: run.inputResponses['sure'] };
  }

  @McpTool(described('empty'))
  empty(input: object, caller: McpCaller, run: ToolRun) {
    return this.remove(input, caller, run);
  }

  @McpTool(described('pay'))
  pay() {
    return inputRequired({ pay: elicitUrl({ message: 'Pay', url: 'https://pay.example/' }) });
  }

  @McpTool(described('pretend'))
  pretend() {
    return { resultType: 'input_required', inputRequests: { sure: SURE } };
  }

  @McpTool(described('hoard'))
  hoard() {
    return inputRequired({ sure: SURE }, 'x'.repeat(20_000));
  }
}

const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';
const FORM = { elicitation: {} };
const ANSWERS = { sure: { action: 'accept', content: { yes: true } } };

describe('calls of several rounds (contract: Questions of tools)', () => {
  let server: ResourceServer;

  beforeAll(async () => {
    server = await ResourceServer.start(Asking);
    await server.give('ann');
    await server.give('again');
    await server.give('bob', { userId: 'bob' });
  });
  afterAll(() => server.close());

  const call = async (token: string, name: string, further: object = {}, capabilities = FORM) => {
    const _meta = { ...modernEra.meta, [CAPABILITIES]: capabilities };
    const params = { name, arguments: { of: 'it' }, ...further, _meta };
    const response = await server.post(
      token,
      modernEra.message('tools/call', params),
      modernEra.headers('tools/call', name),
    );
    const { result = {}, error } = JSON.parse(await response.text());
    return { status: response.status, result, error };
  };
  const ask = async () => (await call('ann', 'delete')).result;

  it('ask the client, which calls again with answers and state', async () => {
    const { resultType, inputRequests, requestState } = await ask();
    expect({ resultType, inputRequests }).toEqual({
      resultType: 'input_required',
      inputRequests: { sure: SURE },
    });
    const further = { inputResponses: ANSWERS, requestState };
    const { result } = await call('ann', 'delete', further);
    expect(result.structuredContent).toEqual({ state: { asked: 'Ann' }, answer: ANSWERS.sure });
  });

  it('go on with the same arguments in another order', async () => {
    const first = await call('ann', 'delete', { arguments: { a: 1, b: { c: 2, d: 3 } } });
    const { requestState } = first.result;
    const further = { arguments: { b: { d: 3, c: 2 }, a: 1 }, requestState };
    expect((await call('ann', 'delete', further)).result.resultType).toBe('complete');
  });

  it.each<[string, string, string, object]>([
    ['another grant of the same account', 'again', 'delete', {}],
    ['another account', 'bob', 'delete', {}],
    ['another tool', 'ann', 'empty', {}],
    ['other arguments', 'ann', 'delete', { arguments: { of: 'everything' } }],
  ])('refuse the state of another call: %s', async (_what, token, name, further) => {
    const { requestState } = await ask();
    const answer = await call(token, name, { inputResponses: ANSWERS, requestState, ...further });
    expect(answer.error).toMatchObject({
      code: -32_602,
      message: expect.stringMatching(/^this requestState is not of this call/),
    });
  });

  it.each([
    ['longer', (state: string) => `${state}-TAMPERED`],
    ['empty', () => ''],
    ['anything', () => 'x'],
    ['an object', () => ({})],
    ['a number', () => 7],
  ])('refuse a state that was not made here: %s', async (_what, change) => {
    const { requestState } = await ask();
    const { error } = await call('ann', 'delete', { requestState: change(requestState) });
    expect(error.code).toBe(-32_602);
  });

  it('without the state begin anew, whatever answers they bring', async () => {
    const { result } = await call('ann', 'delete', { inputResponses: ANSWERS });
    expect(result.resultType).toBe('input_required');
  });

  it('ask a client for what it said that it can alone', async () => {
    const unable = await call('ann', 'delete', {}, {} as never);
    expect(unable.status).toBe(400);
    expect(unable.error).toMatchObject({
      code: -32_021,
      data: { requiredCapabilities: { elicitation: {} } },
    });
    expect((await call('ann', 'pay')).error.code).toBe(-32_021);
    const { result } = await call('ann', 'pay', {}, { elicitation: { url: {} } });
    expect(result.inputRequests.pay.params).toMatchObject({ mode: 'url', message: 'Pay' });
  });

  it('begin in the code of the application, whatever an object says that it returns', async () => {
    const { result } = await call('ann', 'pretend');
    expect(result.resultType).toBe('complete');
    expect(result.structuredContent.resultType).toBe('input_required');
  });

  it('keep at most 16 KiB', async () => {
    const { result } = await call('ann', 'hoard');
    expect(result.isError).toBe(true);
    expect(result.content[0].text).toMatch(/^Something went wrong here/);
  });

  it.each(['2025-06-18', '2025-11-25'])('tell the model of %s what it takes', async (version) => {
    const { message, headers } = legacyEra(version);
    const params = { name: 'delete', arguments: {}, _meta: { [CAPABILITIES]: FORM } };
    const response = await server.post('ann', message('tools/call', params), headers('tools/call'));
    expect(await response.json()).toMatchObject({
      result: { isError: true, content: [{ text: expect.stringMatching(/MCP 2026-07-28/) }] },
    });
  });
});
