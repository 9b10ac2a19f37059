import type {
  ReadResourceResult,
  Resource,
  ResourceTemplateType,
} from '@modelcontextprotocol/server';
import { Injectable, type OnModuleInit, Optional } from '@nestjs/common';
import { AccountList } from './account-list.js';
import {
  type AnyMcpCaller,
  type Callable,
  isListedFor,
  type McpCaller,
  type McpFeature,
} from './call.js';
import {
  type DiscoveredMethod,
  MethodDiscoveryService,
  invalidMethod,
} from './method-discovery.service.js';
import type { McpEra } from './message.js';
import { invalidParams, refuseByError } from './errors.js';
import { OfferPolicy, offeredOf } from './offer-policy.js';
import {
  type AccountResource,
  AccountResources,
  type McpResourceOptions,
  parseUriTemplate,
  ResourceDecorator,
  type UriTemplate,
} from './resource.js';

const KIND = 'resource';
const MIME_TYPE = /^[\w.+-]+\/[\w.+-]+(?:; ?[\w-]+=[\w.+-]+)*$/;

type DiscoveredResource = DiscoveredMethod<McpResourceOptions>;

interface RegisteredResource extends DiscoveredResource {
  readonly template: UriTemplate;
}

/** All resources of the application, found at the start, and those of the caller's account; for people only. */
@Injectable()
export class McpResourcesService implements McpFeature, OnModuleInit {
  readonly calledBy = { method: 'resources/read', parameter: 'uri' } as const;
  readonly lists = {
    'resources/list': {
      member: 'resources',
      entriesFor: (caller: AnyMcpCaller) => this.list(caller),
    },
    'resources/templates/list': {
      member: 'resourceTemplates',
      entriesFor: async (caller: AnyMcpCaller) =>
        (await this.readableBy(caller)).filter(hasVariables).map(templateShown),
    },
  };
  private resources: readonly RegisteredResource[] = [];
  private readonly own = new AccountList<AccountResource>('resources');

  constructor(
    private readonly methods: MethodDiscoveryService,
    private readonly policy: OfferPolicy,
    @Optional() private readonly account?: AccountResources,
  ) {}

  onModuleInit() {
    const found = this.methods.find(ResourceDecorator, KIND, ofAccount(this.account));
    this.resources = registerResources(found);
  }

  get haveAccounts(): boolean {
    return this.account?.template !== undefined;
  }

  /** Clients of 2025 cannot be notified of a change. */
  capabilities(era: McpEra) {
    if (this.resources.length === 0) return undefined;
    const mayChange = era === 'modern' && this.haveAccounts;
    return { resources: mayChange ? { listChanged: true } : {} };
  }

  /** Finds resources by uri. A uri that matches a template counts even if its resource does not exist. */
  async find(uris: readonly string[], caller: AnyMcpCaller) {
    if (!caller.user) return [];
    const found = uris.flatMap((uri) => {
      for (const resource of this.resources) {
        const variables = resource.template.match(uri);
        if (variables) return [{ name: resource.options.name, resource, uri, variables }];
      }
      return [];
    });
    const offered = await offeredOf(this.policy, found, caller, KIND);
    return offered.map(({ resource, uri, variables }) => this.callable(resource, uri, variables));
  }

  labelOf(uri: string) {
    const found = this.resources.find(({ template }) => template.match(uri));
    return found && labelFor(found);
  }

  notFound(uri: string) {
    return invalidParams(
      'there is no such resource; resources/list and resources/templates/list tell what there is',
      { uri },
    );
  }

  async valuesOf(uri: string, variable: string, caller: AnyMcpCaller) {
    const readable = await this.readableBy(caller);
    const resource = readable.find(({ options }) => options.uri === uri);
    if (!resource) return undefined;
    const { template } = resource;
    if (uri !== this.account?.template?.uri || !template.variables.includes(variable)) return [];
    const own = await this.listOwn(caller);
    return own.flatMap((owned) => template.match(owned.uri)?.[variable] ?? []);
  }

  /** What the caller may read: resources of the application, then those of the account, unless listing these fails. */
  private async list(caller: AnyMcpCaller): Promise<Resource[]> {
    const readable = await this.readableBy(caller);
    const fixed = readable.filter((candidate) => !hasVariables(candidate));
    const { description, mimeType, annotations } = this.account?.template ?? {};
    const isOffered = readable.some(({ options }) => options === this.account?.template);
    const own = isOffered ? await this.listOwn(caller) : [];
    return [
      ...fixed.map(resourceShown),
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

  private async readableBy(caller: AnyMcpCaller): Promise<readonly RegisteredResource[]> {
    if (!caller.user) return [];
    const readable = this.resources.filter(({ options }) =>
      options === this.account?.template
        ? caller.scopes.includes(options.scope)
        : isListedFor(caller, options.scope),
    );
    const names = readable.map(({ options }) => options.name);
    const offered = new Set(await this.policy.offered(names, caller, KIND));
    return readable.filter(({ options }) => offered.has(options.name));
  }

  private async listOwn(caller: AnyMcpCaller): Promise<readonly AccountResource[]> {
    const { account } = this;
    if (!account?.template || !caller.user || !caller.scopes.includes(account.template.scope))
      return [];
    return this.own.read(() => account.list(caller));
  }

  private callable(resource: RegisteredResource, uri: string, variables: object): Callable {
    const { options, call } = resource;
    return {
      method: 'resources/read',
      name: uri,
      label: labelFor(resource),
      shown: options,
      scope: options.scope,
      refuse: refuseByError,
      call: async (_input, caller, run) => call(variables as never, caller, run),
      resultOf: (output) => {
        if (output === undefined) throw this.notFound(uri);
        return resourceContents(uri, options.mimeType, output);
      },
    };
  }
}

function ofAccount(account: AccountResources | undefined): DiscoveredResource[] {
  if (!account?.template) return [];
  // `find` has left out machines.
  const call: DiscoveredResource['call'] = (variables, caller, run) =>
    account.read(variables, caller as McpCaller, run);
  return [{ owner: account.constructor.name, options: account.template, call }];
}

/** The resources, those without variables first, so that no template captures them. @throws Error for a faulty one */
export function registerResources(
  found: readonly DiscoveredResource[],
): readonly RegisteredResource[] {
  const resources: RegisteredResource[] = [];
  for (const entry of found) {
    const { mimeType } = entry.options;
    if (!MIME_TYPE.test(mimeType)) {
      throw invalidMethod(KIND, entry, `needs a MIME type, which "${mimeType}" is not`);
    }
    const template = templateOf(entry);
    const rival = resources.find((other) => other.template.shape === template.shape);
    if (rival) throw invalidMethod(KIND, entry, `has the uri of another resource, ${rival.owner}`);
    resources.push({ ...entry, template });
  }
  return resources.toSorted((a, b) => Number(hasVariables(a)) - Number(hasVariables(b)));
}

function templateOf(entry: DiscoveredResource) {
  try {
    return parseUriTemplate(entry.options.uri);
  } catch (error) {
    throw invalidMethod(KIND, entry, `has a uri that cannot be used: ${(error as Error).message}`);
  }
}

const labelFor = ({ options }: RegisteredResource) => `resource ${options.name}`;

const hasVariables = ({ template }: RegisteredResource) => template.variables.length > 0;

const resourceShown = ({ options }: RegisteredResource): Resource => {
  const { scope: _scope, ...shown } = options;
  return shown;
};

const templateShown = (resource: RegisteredResource): ResourceTemplateType => {
  const { uri: uriTemplate, ...shown } = resourceShown(resource);
  return { uriTemplate, ...shown };
};

function resourceContents(uri: string, mimeType: string, content: unknown): ReadResourceResult {
  if (typeof content === 'string') {
    return { contents: [{ uri, mimeType, text: content.toWellFormed() }] };
  }
  if (!(content instanceof Uint8Array)) throw new Error('a resource is text or bytes');
  return { contents: [{ uri, mimeType, blob: Buffer.from(content).toString('base64') }] };
}
