import type { Prompt } from '@modelcontextprotocol/server';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { OAUTH_OPTIONS, type OAuthOptions } from '../../oauth.module-definition.js';
import { scopeNames } from '../../protected-resource/protected-resource.js';
import { type MarkedMethod, MarkedMethodsService } from '../discovery/marked-methods.service.js';
import type { McpCaller } from '../tools/mcp-tool.js';
import type { McpPromptOptions } from './mcp-prompt.js';
import { PromptMark } from './mcp-prompt.decorator.js';
import { promptShown, registerPrompts } from './prompt-registry.js';

export type RegisteredPrompt = MarkedMethod<McpPromptOptions>;

/** Every prompt of the application, found when it starts; what does not fit together stops the start. */
@Injectable()
export class McpPromptsService implements OnModuleInit {
  private prompts: ReadonlyMap<string, RegisteredPrompt> = new Map();

  constructor(
    @Inject(OAUTH_OPTIONS) private readonly options: OAuthOptions,
    private readonly methods: MarkedMethodsService,
  ) {}

  onModuleInit() {
    const marked = this.methods.find(PromptMark, 'MCP prompt');
    this.prompts = registerPrompts(marked, scopeNames(this.options.scopes));
  }

  get areThere(): boolean {
    return this.prompts.size > 0;
  }

  /** Whether there are values to suggest. */
  get haveValues(): boolean {
    const args = [...this.prompts.values()].flatMap(({ options }) => options.arguments ?? []);
    return args.some(({ values }) => values !== undefined);
  }

  /** Those that the caller may get. */
  list(caller: McpCaller): Prompt[] {
    return [...this.prompts.values()]
      .filter(({ options }) => caller.scopes.includes(options.scope))
      .map(promptShown);
  }

  find(name: string): RegisteredPrompt | undefined {
    return this.prompts.get(name);
  }

  /** What may be suggested for an argument; undefined when there is no such prompt for this caller. */
  valuesOf(name: string, argument: string, caller: McpCaller): readonly string[] | undefined {
    const prompt = this.find(name);
    if (!prompt || !caller.scopes.includes(prompt.options.scope)) return undefined;
    return prompt.options.arguments?.find((one) => one.name === argument)?.values ?? [];
  }
}
