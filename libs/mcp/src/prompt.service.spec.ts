import { Injectable } from '@nestjs/common';
import type { McpCaller } from './call.js';
import { McpPrompt, type McpPromptOptions } from './prompt.js';
import { registerPrompts } from './prompt.service.js';
import { MCP_ERAS, type McpEra } from './testbed/messages.testbed.js';
import { described } from './testbed/described.testbed.js';
import { ResourceServer } from './testbed/resource-server.testbed.js';

const OPTIONS: McpPromptOptions = {
  name: 'plan',
  title: 'Plan',
  description: 'Plans a day.',
  scope: 'account:read',
  arguments: [
    { name: 'day', description: 'Which day.', required: true, values: ['today'] },
    { name: 'mood', description: 'How it should be.' },
  ],
};

const prompt = (options: Partial<McpPromptOptions>) => ({
  owner: 'Planner.plan',
  options: { ...OPTIONS, ...options },
  call: () => 'text',
});
const register = (found: ReturnType<typeof prompt>) => registerPrompts([found]);

describe('prompt registry', () => {
  const named = (name: string) => ({ name, description: name });

  it.each<[string, ReturnType<typeof prompt>, string]>([
    [
      'two arguments of one name',
      prompt({ arguments: [named('a'), named('a')] }),
      'MCP prompt "plan" (Planner.plan) has two arguments of one name',
    ],
    [
      'more suggestions than a client may be given',
      prompt({ arguments: [{ ...named('a'), values: Array<string>(101).fill('x') }] }),
      'has more than 100 values for "a"',
    ],
  ])('refuses %s', (_what, found, words) => {
    expect(() => register(found)).toThrow(words);
  });
});

const MOOD = { name: 'mood', description: 'mood', values: ['calm', 'curious', 'merry'] };

@Injectable()
class Prompts {
  @McpPrompt({
    ...described('plan'),
    arguments: [{ name: 'day', description: 'day', required: true }, MOOD],
  })
  async plan({ day, mood = 'calm' }: { day: string; mood?: string }, { user }: McpCaller) {
    return `Plan a ${mood} ${day} for ${user.displayName}.`;
  }

  @McpPrompt(described('talk', 'code:run'))
  talk() {
    return [
      { role: 'user', content: { type: 'text', text: 'Hello' } },
      { role: 'assistant', content: { type: 'text', text: 'Hello yourself' } },
    ];
  }

  @McpPrompt(described('lie'))
  lie() {
    return [{ role: 'system', content: 'secret' }];
  }
}

describe.each(MCP_ERAS)('prompts in $name (contract: Resources and prompts)', (era: McpEra) => {
  let server: ResourceServer;

  beforeAll(async () => {
    server = await ResourceServer.start(Prompts);
    await server.give('all');
    await server.give('narrow', { scope: 'account:read' });
  });
  afterAll(() => server.close());

  const send = async (token: string, method: string, params: object = {}, name?: string) => {
    const response = await server.send(era, token, method, params, name);
    const { result = {}, error } = JSON.parse(await response.text());
    return { status: response.status, result, error };
  };
  const get = (token: string, name: string, args?: object) =>
    send(token, 'prompts/get', { name, arguments: args }, name);

  it('are listed with their scope alone', async () => {
    const names = async (token: string) =>
      (await send(token, 'prompts/list')).result.prompts.map(({ name }: { name: string }) => name);
    expect(await names('all')).toEqual(['plan', 'talk', 'lie']);
    expect(await names('narrow')).toEqual(['plan', 'lie']);
    const { prompts } = (await send('narrow', 'prompts/list')).result;
    expect(prompts[0]).toEqual({
      name: 'plan',
      title: 'The plan',
      description: 'plan',
      arguments: [
        { name: 'day', description: 'day', required: true },
        { name: 'mood', description: 'mood' },
      ],
    });
  });

  it('are text of the user, or messages', async () => {
    const { result } = await get('all', 'plan', { day: 'Monday' });
    const text = 'Plan a calm Monday for Ann.';
    expect(result).toMatchObject({
      description: 'plan',
      messages: [{ role: 'user', content: { type: 'text', text } }],
    });
    const talk = await get('all', 'talk');
    expect(talk.result.messages).toHaveLength(2);
  });

  it('403 | without the scope', async () => {
    expect(await get('narrow', 'talk')).toMatchObject({
      status: 403,
      error: 'insufficient_scope',
    });
  });

  it.each<[string, object | undefined, RegExp]>([
    ['plan', undefined, /the argument "day" is missing/],
    ['plan', { mood: 'calm' }, /the argument "day" is missing/],
    ['plan', { day: 'Monday', place: 'x' }, /there is no argument but: day, mood/],
    ['plan', { toString: 'x' }, /the argument "day" is missing/],
    ['toString', {}, /^there is no such prompt; prompts\/list names them$/],
  ])('take their own arguments only: %s %j', async (name, args, words) => {
    const { error } = await get('all', name, args);
    expect(error).toMatchObject({ code: -32_602, message: expect.stringMatching(words) });
  });

  it('take texts for arguments', async () => {
    expect((await get('all', 'plan', { day: 7 })).error.code).toBeLessThan(0);
  });

  it('that are none of the protocol are an error without a detail', async () => {
    const { error } = await get('all', 'lie');
    expect(error).toMatchObject({
      code: -32_603,
      message: expect.stringMatching(/^Something went wrong here; .*\(request \S+\)\.$/),
    });
  });

  it('suggest values for their arguments', async () => {
    const complete = async (name: string, argument: string, value: string) => {
      const params = { ref: { type: 'ref/prompt', name }, argument: { name: argument, value } };
      return send('narrow', 'completion/complete', params);
    };
    const { completion } = (await complete('plan', 'mood', 'c')).result;
    expect(completion).toEqual({ values: ['calm', 'curious'], total: 2, hasMore: false });
    expect((await complete('plan', 'day', '')).result.completion.values).toEqual([]);
    expect((await complete('nothing', 'day', '')).error.code).toBe(-32_602);
  });
});
