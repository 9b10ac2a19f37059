import type { Prompt } from '@modelcontextprotocol/server';
import type { MarkedMethod } from '../discovery/marked-methods.service.js';
import { registrationProblem } from '../discovery/registration.js';
import type { McpPromptOptions } from './mcp-prompt.js';

const MAX_VALUES = 100;

/**
 * The prompts by name.
 * @throws Error that names the prompt and what is wrong with it
 */
export function registerPrompts(
  found: readonly MarkedMethod<McpPromptOptions>[],
  scopes: readonly string[],
): ReadonlyMap<string, MarkedMethod<McpPromptOptions>> {
  const prompts = new Map<string, MarkedMethod<McpPromptOptions>>();
  for (const prompt of found) {
    const { name, arguments: args = [] } = prompt.options;
    const refuse = (problem: string) =>
      new Error(`MCP prompt "${name}" (${prompt.owner}) ${problem}`);
    const problem = registrationProblem(prompt, 'prompt', prompts.get(name), scopes);
    if (problem !== undefined) throw refuse(problem);
    if (new Set(args.map((one) => one.name)).size < args.length) {
      throw refuse('has two arguments of one name');
    }
    const suggesting = args.find(({ values = [] }) => values.length > MAX_VALUES);
    if (suggesting) throw refuse(`has more than ${MAX_VALUES} values for "${suggesting.name}"`);
    prompts.set(name, prompt);
  }
  return prompts;
}

/** How `prompts/list` shows a prompt. */
export const promptShown = ({
  options: { name, title, description, arguments: args = [] },
}: MarkedMethod<McpPromptOptions>): Prompt => ({
  name,
  title,
  description,
  arguments: args.map(({ values: _values, ...shown }) => shown),
});

/** What is wrong with arguments, or undefined. */
export function argumentsProblem(
  { arguments: known = [] }: McpPromptOptions,
  given: Readonly<Record<string, string>>,
): string | undefined {
  const missing = known.find(({ name, required }) => required && !Object.hasOwn(given, name));
  if (missing) return `the argument "${missing.name}" is missing`;
  const isStrange = Object.keys(given).some((key) => !known.some(({ name }) => name === key));
  return isStrange
    ? `there is no argument but: ${known.map(({ name }) => name).join(', ')}`
    : undefined;
}
