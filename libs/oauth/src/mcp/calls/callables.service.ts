import { Inject, Injectable } from '@nestjs/common';
import { OAUTH_OPTIONS, type OAuthOptions } from '../../oauth.module-definition.js';
import { scopeNames } from '../../protected-resource/protected-resource.js';
import { expectScopes } from '../../protected-resource/required-scopes.js';
import { McpPromptsService, type RegisteredPrompt } from '../prompts/mcp-prompts.service.js';
import { type FoundResource, McpResourcesService } from '../resources/mcp-resources.service.js';
import type { McpCaller } from '../tools/mcp-tool.js';
import { McpToolsService } from '../tools/mcp-tools.service.js';
import type { CallableTool } from '../tools/tool-registry.js';
import { namesIn } from './called.js';

/** What a posted message, or a batch of them, calls: nothing else is done for it. */
export interface Callables {
  readonly tools: ReadonlyMap<string, CallableTool>;
  /** By the uris that are read. */
  readonly resources: ReadonlyMap<string, FoundResource>;
  readonly prompts: ReadonlyMap<string, RegisteredPrompt>;
}

/** Finds what is called, and whether its caller may. What does not exist is left out. */
@Injectable()
export class CallablesService {
  constructor(
    @Inject(OAUTH_OPTIONS) private readonly options: OAuthOptions,
    private readonly tools: McpToolsService,
    private readonly resources: McpResourcesService,
    private readonly prompts: McpPromptsService,
  ) {}

  /** @throws BearerError insufficient_scope */
  async authorize(body: unknown, caller: McpCaller): Promise<Callables> {
    const tools = await this.tools.called(namesIn(body, 'tools/call', 'name'), caller);
    const uris = namesIn(body, 'resources/read', 'uri');
    const resources = found(uris, (uri) => this.resources.find(uri));
    const prompts = found(namesIn(body, 'prompts/get', 'name'), (name) => this.prompts.find(name));
    const marked = [...resources.values(), ...prompts.values()].map(({ options }) => options);
    const needed = [...tools.values(), ...marked].map(({ scope }) => scope);
    expectScopes(needed, caller.scopes, scopeNames(this.options.scopes));
    return { tools, resources, prompts };
  }
}

function found<T>(names: readonly string[], find: (name: string) => T | undefined) {
  const pairs = names.flatMap((name): [string, T][] => {
    const one = find(name);
    return one === undefined ? [] : [[name, one]];
  });
  return new Map(pairs);
}
