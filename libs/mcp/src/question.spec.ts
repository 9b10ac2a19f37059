import { createSecretKey, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { McpCaller, ToolRun } from './call.js';
import {
  elicit,
  elicitUrl,
  inputRequired,
  openState,
  type StateOwner,
  sealState,
} from './question.js';
import { legacyEra, modernEra } from './testbed/messages.testbed.js';
import { toolOf } from './testbed/described.testbed.js';
import { ResourceServer } from './testbed/resource-server.testbed.js';
import { McpTool } from './tool.js';

const KEY = createSecretKey(randomBytes(32));
const OWNER: StateOwner = {
  grantId: 'grant',
  method: 'tools/call',
  name: 'greet',
  input: { to: 'Ann', times: 2 },
};
const STATE = { step: 1, names: ['Ann'] };
const REFUSAL = expect.objectContaining({ code: -32_602 });

describe('the state that a call keeps while it asks', () => {
  afterEach(() => jest.restoreAllMocks());

  const later = (ms: number) => {
    const now = Date.now() + ms;
    jest.spyOn(Date, 'now').mockReturnValue(now);
  };

  it('comes back as it was, for 10 minutes, any number of times', () => {
    const sealed = sealState(KEY, STATE, OWNER);
    expect(openState(KEY, sealed, OWNER)).toEqual(STATE);
    later(599_000);
    expect(openState(KEY, sealed, OWNER)).toEqual(STATE);
  });

  it('is nothing after 10 minutes', () => {
    const sealed = sealState(KEY, STATE, OWNER);
    later(600_000);
    expect(() => openState(KEY, sealed, OWNER)).toThrow(REFUSAL);
  });

  it.each<[string, Partial<StateOwner>]>([
    ['a prompt of that name', { method: 'prompts/get' }],
    ['more arguments', { input: { to: 'Ann', times: 2, more: null } }],
    ['a number in the place of a text', { input: { to: 'Ann', times: '2' } }],
    ['names that run into each other', { grantId: 'grant","tools/call', name: '' }],
  ])('is nothing for %s', (_what, other) => {
    const sealed = sealState(KEY, STATE, OWNER);
    expect(() => openState(KEY, sealed, { ...OWNER, ...other })).toThrow(REFUSAL);
  });

  it('is nothing with another key', () => {
    const sealed = sealState(createSecretKey(randomBytes(32)), STATE, OWNER);
    expect(() => openState(KEY, sealed, OWNER)).toThrow(REFUSAL);
  });

  it('is nothing with any byte changed', () => {
    const sealed = sealState(KEY, STATE, OWNER);
    const [body = '', mac = ''] = sealed.split('.');
    const forged = Buffer.from(JSON.stringify({ state: 'mine', until: 9e15 })).toString(
      'base64url',
    );
    const wrong = [
      '',
      '.',
      body,
      `${body}.`,
      `.${mac}`,
      `${forged}.${mac}`,
      `${sealed}-TAMPERED`,
      `${sealed}.${mac}`,
      sealed.toUpperCase(),
      `${body}.${'A'.repeat(43)}`,
      'x'.repeat(100_000),
    ];
    for (const state of wrong) expect(() => openState(KEY, state, OWNER)).toThrow(REFUSAL);
    for (let at = 0; at < body.length; at += 1) {
      const letter = body[at] === 'A' ? 'B' : 'A';
      const changed = `${body.slice(0, at)}${letter}${body.slice(at + 1)}.${mac}`;
      expect(() => openState(KEY, changed, OWNER)).toThrow(REFUSAL);
    }
  });
});

const SURE = elicit({
  message: 'Sure?',
  requestedSchema: { type: 'object', properties: { yes: { type: 'boolean' } } },
});

@Injectable()
class Asking {
  @McpTool(toolOf('delete'))
  remove(_input: object, { user }: McpCaller, run: ToolRun) {
    if (run.requestState === undefined) {
      return inputRequired({ sure: SURE }, { asked: user.displayName });
    }
    return { state: run.requestState, answer: run.inputResponses['sure'] };
  }

  @McpTool(toolOf('empty'))
  empty(input: object, caller: McpCaller, run: ToolRun) {
    return this.remove(input, caller, run);
  }

  @McpTool(toolOf('pay'))
  pay() {
    return inputRequired({ pay: elicitUrl({ message: 'Pay', url: 'https://pay.example/' }) });
  }

  @McpTool(toolOf('pretend'))
  pretend() {
    return { resultType: 'input_required', inputRequests: { sure: SURE } };
  }

  @McpTool(toolOf('hoard'))
  hoard() {
    return inputRequired({ sure: SURE }, 'x'.repeat(20_000));
  }
}

const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';
const FORM = { elicitation: {} };
const ANSWERS = { sure: { action: 'accept', content: { yes: true } } };

describe('calls that ask their client (contract: Questions of tools)', () => {
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
    const response = await server.send(modernEra, token, 'tools/call', params, name);
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
    ['anything', () => 'x'],
    ['an object', () => ({})],
    ['a number', () => 7],
  ])('refuse a state that was not made here: %s', async (_what, state) => {
    const { error } = await call('ann', 'delete', { requestState: state() });
    expect(error.code).toBe(-32_602);
  });

  it('without the state begin again, with any answers', async () => {
    const { result } = await call('ann', 'delete', { inputResponses: ANSWERS });
    expect(result.resultType).toBe('input_required');
  });

  it('ask a client only for what it declared that it can do', async () => {
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
