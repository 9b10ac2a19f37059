import type { McpPromptOptions } from '../prompt.js';
import { argumentsProblem, promptShown, registerPrompts } from '../prompt.service.js';

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

const prompt = (options: Partial<McpPromptOptions>, owner = 'Planner.plan') => ({
  owner,
  options: { ...OPTIONS, ...options },
  call: () => 'text',
});
const register = (...found: ReturnType<typeof prompt>[]) =>
  registerPrompts(found, ['account:read']);

describe('prompt registry', () => {
  it('keeps scope and suggestions out of what clients see', () => {
    expect([...register(prompt({})).values()].map(({ options }) => promptShown(options))).toEqual([
      {
        name: 'plan',
        title: 'Plan',
        description: 'Plans a day.',
        arguments: [
          { name: 'day', description: 'Which day.', required: true },
          { name: 'mood', description: 'How it should be.' },
        ],
      },
    ]);
  });

  it.each<[string, Record<string, string>, string | undefined]>([
    ['all', { day: 'today', mood: 'calm' }, undefined],
    ['the required ones', { day: '' }, undefined],
    ['none', {}, 'the argument "day" is missing'],
    ['a strange one', { day: 'today', place: 'here' }, 'there is no argument but: day, mood'],
    ['one of every object', { toString: 'x' }, 'the argument "day" is missing'],
  ])('checks arguments: %s', (_what, given, problem) => {
    expect(argumentsProblem(OPTIONS, given)).toBe(problem);
  });

  const named = (name: string) => ({ name, description: name });

  it.each<[string, ReturnType<typeof prompt>[], string]>([
    [
      'two of one name',
      [prompt({}), prompt({}, 'Other.plan')],
      'MCP prompt "plan" (Other.plan) has the name of another prompt, Planner.plan',
    ],
    ['an unknown scope', [prompt({ scope: 'all' })], 'needs the scope "all"'],
    ['an empty name', [prompt({ name: '' })], 'needs a name'],
    [
      'two arguments of one name',
      [prompt({ arguments: [named('a'), named('a')] })],
      'has two arguments of one name',
    ],
    [
      'more suggestions than a client may be given',
      [prompt({ arguments: [{ ...named('a'), values: Array<string>(101).fill('x') }] })],
      'has more than 100 values for "a"',
    ],
  ])('refuses %s', (_what, found, words) => {
    expect(() => register(...found)).toThrow(words);
  });
});
