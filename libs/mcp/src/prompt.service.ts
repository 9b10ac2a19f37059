import { type GetPromptResult, type Prompt, specTypeSchemas } from '@modelcontextprotocol/server';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type AnyMcpCaller, type Callable, isListedFor, type McpFeature } from './call.js';
import {
  type DiscoveredMethod,
  MethodDiscoveryService,
  invalidMethod,
} from './method-discovery.service.js';
import { invalidParams, refuseByError } from './errors.js';
import { OfferPolicy, offeredOf } from './offer-policy.js';
import { type McpPromptOptions, PromptDecorator } from './prompt.js';

const KIND = 'prompt';
const MAX_VALUES = 100;

type DiscoveredPrompt = DiscoveredMethod<McpPromptOptions>;

interface RegisteredPrompt extends Callable {
  readonly options: McpPromptOptions;
}

/** All prompts of the application, which are for people; invalid or conflicting ones make the start fail. */
@Injectable()
export class McpPromptsService implements McpFeature, OnModuleInit {
  readonly calledBy = { method: 'prompts/get', parameter: 'name' } as const;
  readonly lists = {
    'prompts/list': { member: 'prompts', entriesFor: (caller: AnyMcpCaller) => this.list(caller) },
  };
  private prompts: ReadonlyMap<string, RegisteredPrompt> = new Map();

  constructor(
    private readonly methods: MethodDiscoveryService,
    private readonly policy: OfferPolicy,
  ) {}

  onModuleInit() {
    this.prompts = registerPrompts(this.methods.find(PromptDecorator, KIND));
  }

  get haveValues(): boolean {
    const args = [...this.prompts.values()].flatMap(({ options }) => options.arguments ?? []);
    return args.some(({ values }) => values !== undefined);
  }

  capabilities() {
    return this.prompts.size > 0 ? { prompts: {} } : undefined;
  }

  async find(names: readonly string[], caller: AnyMcpCaller) {
    if (!caller.user) return [];
    const found = names.flatMap((name) => this.prompts.get(name) ?? []);
    return offeredOf(this.policy, found, caller, KIND);
  }

  labelOf(name: string) {
    return this.prompts.get(name)?.label;
  }

  notFound() {
    return invalidParams('there is no such prompt; prompts/list names them');
  }

  async valuesOf(name: string, argument: string, caller: AnyMcpCaller) {
    const prompt = this.prompts.get(name);
    if (!prompt || !caller.user || !isListedFor(caller, prompt.options.scope)) return undefined;
    if ((await this.policy.offered([name], caller, KIND)).length === 0) return undefined;
    return prompt.options.arguments?.find((known) => known.name === argument)?.values ?? [];
  }

  private async list(caller: AnyMcpCaller): Promise<Prompt[]> {
    if (!caller.user) return [];
    const prompts = [...this.prompts.values()].map(({ options }) => options);
    const listed = prompts.filter(({ scope }) => isListedFor(caller, scope));
    return (await offeredOf(this.policy, listed, caller, KIND)).map(promptShown);
  }
}

export function registerPrompts(
  found: readonly DiscoveredPrompt[],
): ReadonlyMap<string, RegisteredPrompt> {
  for (const prompt of found) {
    const { arguments: args = [] } = prompt.options;
    if (new Set(args.map(({ name }) => name)).size < args.length) {
      throw invalidMethod(KIND, prompt, 'has two arguments of one name');
    }
    const suggesting = args.find(({ values = [] }) => values.length > MAX_VALUES);
    if (!suggesting) continue;
    const problem = `has more than ${MAX_VALUES} values for "${suggesting.name}"`;
    throw invalidMethod(KIND, prompt, problem);
  }
  return new Map(found.map((prompt) => [prompt.options.name, registeredPrompt(prompt)]));
}

const promptShown = ({ name, title, description, arguments: args = [] }: McpPromptOptions) => ({
  name,
  title,
  description,
  arguments: args.map(({ values: _values, ...shown }) => shown),
});

const registeredPrompt = ({ options, call }: DiscoveredPrompt): RegisteredPrompt => ({
  options,
  method: 'prompts/get',
  name: options.name,
  label: `prompt ${options.name}`,
  shown: options,
  scope: options.scope,
  refuse: refuseByError,
  check: async (input) => expectArguments(options, input),
  call: async (input, caller, run) => {
    expectArguments(options, input);
    return call(input as never, caller, run);
  },
  resultOf: (output) => promptMessages(options.description, output),
});

function expectArguments({ arguments: known = [] }: McpPromptOptions, input: unknown) {
  const values = input as Readonly<Record<string, string>>;
  const unfit = (problem: string) => invalidParams(`These arguments do not fit: ${problem}.`);
  const missing = known.find(({ name, required }) => required && !Object.hasOwn(values, name));
  if (missing) throw unfit(`the argument "${missing.name}" is missing`);
  const names = known.map(({ name }) => name);
  if (Object.keys(values).every((key) => names.includes(key))) return;
  throw unfit(`there is no argument but: ${names.join(', ')}`);
}

/** Makes a text the user's message, or takes a list of messages. @throws Error for any other output */
function promptMessages(description: string, output: unknown): GetPromptResult {
  const messages =
    typeof output === 'string'
      ? [{ role: 'user', content: { type: 'text', text: output.toWellFormed() } }]
      : output;
  const checked = specTypeSchemas.GetPromptResult['~standard'].validate({ description, messages });
  if ('value' in Object(checked)) return (checked as { value: GetPromptResult }).value;
  throw new Error('a prompt returns a text or messages of the protocol');
}
