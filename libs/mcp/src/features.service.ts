import type { CompleteRequestParams, CompleteResult } from '@modelcontextprotocol/server';
import { Inject, Injectable } from '@nestjs/common';
import { expectScopes } from '#libs/oauth';
import type { AnyMcpCaller, Callable, McpFeature } from './call.js';
import { MCP_OPTIONS, type McpOptions } from './mcp.module-definition.js';
import { paramsIn } from './message.js';
import { McpPromptsService } from './prompt.service.js';
import { McpResourcesService } from './resource.service.js';
import { McpToolsService } from './tool.service.js';

/** Per answer, by the protocol. */
const MAX_SUGGESTIONS = 100;

/** All features of the endpoint: tools, resources and prompts. */
@Injectable()
export class McpFeaturesService {
  readonly all: readonly McpFeature[];

  constructor(
    @Inject(MCP_OPTIONS) private readonly options: McpOptions,
    tools: McpToolsService,
    private readonly resources: McpResourcesService,
    private readonly prompts: McpPromptsService,
  ) {
    this.all = [tools, resources, prompts];
  }

  /**
   * Finds the targets that a posted message or batch calls and checks that the caller has their scopes. Leaves
   * out names that do not exist.
   * @throws BearerError insufficient_scope
   */
  async authorize(body: unknown, caller: AnyMcpCaller): Promise<readonly Callable[]> {
    const found: Callable[] = [];
    for (const feature of this.all) {
      found.push(...(await feature.find(namesIn(body, feature.calledBy), caller)));
    }
    const needed = found.flatMap(({ scope }) => scope ?? []);
    expectScopes(needed, caller.scopes, this.options.scopes);
    return found;
  }

  get haveSuggestions(): boolean {
    return this.prompts.haveValues || this.resources.haveAccounts;
  }

  /** Values that a client may suggest for an argument of a prompt or a variable of a uri. */
  async complete({ ref, argument }: CompleteRequestParams, caller: AnyMcpCaller) {
    const [feature, name] =
      ref.type === 'ref/prompt' ? [this.prompts, ref.name] : [this.resources, ref.uri];
    const all = await feature.valuesOf(name, argument.name, caller);
    if (!all) throw feature.notFound(name);
    const values = all.filter((value) => value.startsWith(argument.value));
    return {
      completion: {
        values: values.slice(0, MAX_SUGGESTIONS),
        total: values.length,
        hasMore: values.length > MAX_SUGGESTIONS,
      },
    } satisfies CompleteResult;
  }
}

/** The names that requests of a posted message or batch have in the parameter, without duplicates. */
export const namesIn = (body: unknown, { method, parameter }: McpFeature['calledBy']): string[] => [
  ...new Set(paramsIn(body, method, parameter).filter((name) => typeof name === 'string')),
];
