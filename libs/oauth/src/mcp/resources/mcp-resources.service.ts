import type { Resource, ResourceTemplateType } from '@modelcontextprotocol/server';
import { Inject, Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { OutageLog } from '#libs/database';
import { OAUTH_OPTIONS, type OAuthOptions } from '../../oauth.module-definition.js';
import { scopeNames } from '../../protected-resource/protected-resource.js';
import { MarkedMethodsService } from '../discovery/marked-methods.service.js';
import type { McpCaller } from '../tools/mcp-tool.js';
import { type AccountResource, AccountResources } from './account-resources.js';
import type { UriVariables } from './mcp-resource.js';
import { ResourceMark } from './mcp-resource.decorator.js';
import {
  hasVariables,
  type RegisteredResource,
  registerResources,
  resourceShown,
  templateShown,
} from './resource-registry.js';

/** Of one account, in a list. */
const MAX_OWN = 256;

/** A resource, and the variables of the uri that it was found by. */
export interface FoundResource extends RegisteredResource {
  readonly variables: UriVariables;
}

/** Every resource of the application, found when it starts, and those of the account that asks. */
@Injectable()
export class McpResourcesService implements OnModuleInit {
  private resources: readonly RegisteredResource[] = [];
  private readonly outage = new OutageLog(new Logger(McpResourcesService.name));

  constructor(
    @Inject(OAUTH_OPTIONS) private readonly options: OAuthOptions,
    private readonly methods: MarkedMethodsService,
    private readonly account: AccountResources,
  ) {}

  onModuleInit() {
    const marked = this.methods.find(ResourceMark, 'MCP resource');
    const scopes = scopeNames(this.options.scopes);
    this.resources = registerResources([...marked, ...this.ofAccounts()], scopes);
  }

  get areThere(): boolean {
    return this.resources.length > 0;
  }

  /** Whether accounts have resources of their own. */
  get haveAccounts(): boolean {
    return this.account.template !== undefined;
  }

  /** What the caller may read: those of the application, then those of the account, where they can be found out now. */
  async list(caller: McpCaller): Promise<Resource[]> {
    const fixed = this.readableBy(caller)
      .filter((one) => !hasVariables(one))
      .map(resourceShown);
    const { description, mimeType, annotations } = this.account.template ?? {};
    const own = await this.listOwn(caller);
    return [
      ...fixed,
      ...own.map(({ uri, name, title, ...of }) => ({
        uri,
        name,
        title: title ?? name,
        description: of.description ?? description,
        mimeType,
        annotations,
      })),
    ];
  }

  /** Those of what the caller may read. */
  listTemplates(caller: McpCaller): ResourceTemplateType[] {
    return this.readableBy(caller).filter(hasVariables).map(templateShown);
  }

  /** By its uri, whether or not there is anything behind it. */
  find(uri: string): FoundResource | undefined {
    for (const resource of this.resources) {
      const variables = resource.template.match(uri);
      if (variables) return { ...resource, variables };
    }
    return undefined;
  }

  /** What may be suggested for a variable; undefined when there is no such template for this caller. */
  async valuesOf(uri: string, variable: string, caller: McpCaller) {
    const resource = this.readableBy(caller).find(({ options }) => options.uri === uri);
    if (!resource) return undefined;
    const { template } = resource;
    if (uri !== this.account.template?.uri || !template.variables.includes(variable)) return [];
    const own = await this.listOwn(caller);
    return own.flatMap((one) => template.match(one.uri)?.[variable] ?? []);
  }

  private readableBy({ scopes }: McpCaller): readonly RegisteredResource[] {
    return this.resources.filter(({ options }) => scopes.includes(options.scope));
  }

  private async listOwn(caller: McpCaller): Promise<readonly AccountResource[]> {
    const { template } = this.account;
    if (!template || !caller.scopes.includes(template.scope)) return [];
    try {
      const own = await this.account.list(caller);
      this.outage.end('resources of accounts are listed again');
      return own.slice(0, MAX_OWN);
    } catch (error) {
      this.outage.begin(`resources of accounts are not listed: ${String(error)}`);
      return [];
    }
  }

  private ofAccounts() {
    const { account } = this;
    if (!account.template) return [];
    const call = account.read.bind(account) as (...args: readonly unknown[]) => unknown;
    return [{ owner: account.constructor.name, options: account.template, call }];
  }
}
