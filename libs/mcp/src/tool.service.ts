import type { jsonSchemaValidator } from '@modelcontextprotocol/server';
import { Injectable, type OnModuleInit, Optional } from '@nestjs/common';
import { AccountList } from './account-list.js';
import { checkedSchemaOf } from './any-json.js';
import {
  type AnyMcpCaller,
  type Callable,
  isListedFor,
  type McpCaller,
  type McpFeature,
  type ToolCallers,
} from './call.js';
import {
  isName,
  type DiscoveredMethod,
  MethodDiscoveryService,
  invalidMethod,
} from './method-discovery.service.js';
import type { McpEra } from './message.js';
import { badArguments, invalidParams, ToolError } from './errors.js';
import { OfferPolicy } from './offer-policy.js';
import {
  type AccountTool,
  AccountTools,
  type AnyToolOptions,
  type ObjectSchema,
  errorResult,
  structuredOf,
  type ToolDefinition,
  ToolDecorator,
  toolResult,
  shortDescription,
} from './tool.js';
import { FirstErrorValidator } from './tool-validator.js';
import { headerArgumentsOf } from './message-headers.js';

const KIND = 'tool';

interface RegisteredTool extends Callable {
  readonly scope: string;
  readonly callers: ToolCallers;
  readonly definition: ToolDefinition;
}

/** All tools of the application, found at the start, which fails for faulty ones; and those of the caller's account. */
@Injectable()
export class McpToolsService implements McpFeature, OnModuleInit {
  readonly calledBy = { method: 'tools/call', parameter: 'name' } as const;
  readonly lists = {
    'tools/list': { member: 'tools', entriesFor: (caller: AnyMcpCaller) => this.list(caller) },
  };
  /** The only schema validator; creating one for every request would be slow. */
  readonly validator = new FirstErrorValidator();
  private tools: ReadonlyMap<string, RegisteredTool> = new Map();
  private readonly own = new AccountList<ToolDefinition>('tools');

  constructor(
    private readonly methods: MethodDiscoveryService,
    private readonly policy: OfferPolicy,
    @Optional() private readonly account?: AccountTools,
  ) {}

  onModuleInit() {
    const found = this.methods.find(ToolDecorator, KIND);
    this.tools = registerTools(found, this.validator, this.account?.prefix);
  }

  /** Clients of 2025 cannot be notified of a change, because there is no stream for notifications. */
  capabilities(era: McpEra) {
    const mayChange = era === 'modern' && this.account !== undefined;
    return { tools: mayChange ? { listChanged: true } : {} };
  }

  /** A tool that does not take the caller is found too, as one that says so. */
  async find(names: readonly string[], caller: AnyMcpCaller): Promise<readonly Callable[]> {
    if (names.length === 0) return [];
    const offered = new Set(await this.policy.offered(names, caller, KIND));
    const found: Callable[] = [];
    for (const name of names.filter((requested) => offered.has(requested))) {
      const tool = this.isOfAccount(name)
        ? await this.findOwn(name, caller)
        : this.findRegistered(name, caller);
      if (tool) found.push(tool);
    }
    return found;
  }

  labelOf(name: string) {
    return this.isOfAccount(name) ? `${this.account?.prefix}*` : this.tools.get(name)?.label;
  }

  notFound() {
    return invalidParams('there is no such tool; tools/list names them');
  }

  /** The tools that the caller may call: of the application, then of the account, unless listing these fails. */
  private async list(caller: AnyMcpCaller): Promise<ToolDefinition[]> {
    const tools = [...this.tools.values()].filter(
      ({ scope, callers }) => isListedFor(caller, scope) && takes(callers, caller),
    );
    const all = [...tools.map(({ definition }) => definition), ...(await this.listOwn(caller))];
    const names = all.map(({ name }) => name);
    const offered = new Set(await this.policy.offered(names, caller, KIND));
    return all.filter(({ name }) => offered.has(name));
  }

  private async listOwn(caller: AnyMcpCaller): Promise<readonly ToolDefinition[]> {
    const { account } = this;
    if (!caller.user || !account) return [];
    return this.own.read(async () => {
      const tools = await account.list(caller);
      return tools.filter(({ name }) => this.isOfAccount(name));
    });
  }

  private findRegistered(name: string, caller: AnyMcpCaller): Callable | undefined {
    const tool = this.tools.get(name);
    if (tool && !takes(tool.callers, caller)) return refusing(tool);
    const subject = this.account?.subjectOf?.(name);
    return tool && subject ? { ...tool, subject } : tool;
  }

  private isOfAccount(name: string) {
    return beginsWith(name, this.account?.prefix) && isName(name);
  }

  /** Its name is not chosen by the application, so the audit trail records only the prefix. */
  private async findOwn(name: string, caller: AnyMcpCaller) {
    const { account } = this;
    if (!caller.user || !account) return undefined;
    const tool = await account.find(name, caller);
    if (!tool) return undefined;
    const shown = { name: tool.name, title: tool.title ?? tool.name };
    return callableTool(tool, { name, label: `${account.prefix}*`, shown });
  }
}

const beginsWith = (name: string, prefix: string | undefined) =>
  prefix !== undefined && name.startsWith(prefix);

/** The tools by name, with compiled schemas; no name begins with `prefix`. @throws Error for a faulty one */
export function registerTools(
  found: readonly DiscoveredMethod<AnyToolOptions>[],
  validator: jsonSchemaValidator,
  prefix: string | undefined,
): ReadonlyMap<string, RegisteredTool> {
  const tools = found.map((tool) => {
    const { scope, callers = 'people', confirm, ...definition } = tool.options;
    const { name, inputSchema, outputSchema } = definition;
    if (beginsWith(name, prefix)) {
      const problem = `has a name that begins with "${prefix}", which is for the tools of accounts`;
      throw invalidMethod(KIND, tool, problem);
    }
    try {
      const checkInput = checkFor(inputSchema, validator);
      const checkOutput = outputSchema && checkFor(outputSchema, validator);
      const inHeaders = headerArgumentsOf(inputSchema);
      const call = tool.call as AccountTool['call'];
      const about = { name, label: name, shown: definition, checkOutput };
      const callable = callableTool({ scope, checkInput, call }, about);
      const listed = { ...definition, description: shortDescription(definition.description) };
      return { ...callable, confirm, scope, callers, definition: listed, inHeaders };
    } catch (cause) {
      throw invalidMethod(KIND, tool, `has a schema that cannot be used: ${String(cause)}`, cause);
    }
  });
  return new Map(tools.map((tool) => [tool.name, tool]));
}

const takes = (callers: ToolCallers, { user }: AnyMcpCaller) =>
  callers === 'both' || callers === (user ? 'people' : 'machines');

/** In place of a tool that does not take the caller: whatever its scopes, a call tells only this. */
const refusing = ({ callers, ...tool }: RegisteredTool): Callable => ({
  ...tool,
  scope: undefined,
  inHeaders: [],
  call: async () => {
    throw new ToolError(
      callers === 'machines'
        ? 'This tool is for machine clients only; an app that a person connected cannot use it.'
        : 'This tool is for people only; a machine client cannot use it.',
      { reason: 'not for this caller' },
    );
  },
});

function checkFor(schema: ObjectSchema, validator: jsonSchemaValidator) {
  if (schema.type !== 'object') throw new Error('its root has to be of type object');
  const validate = validator.getValidator<unknown>(checkedSchemaOf(schema));
  return (value: unknown) => {
    const checked = validate(value);
    return checked.valid ? undefined : checked.errorMessage;
  };
}

async function expectInput({ checkInput }: Pick<AccountTool, 'checkInput'>, input: unknown) {
  const problem = await checkInput(input);
  if (problem !== undefined) throw badArguments(`These arguments do not fit: ${problem}.`);
}

interface ToolCall {
  readonly name: string;
  readonly label: string;
  readonly shown: Callable['shown'];
  readonly checkOutput?: ((output: unknown) => string | undefined) | undefined;
}

/** A refusal by a tool is a result, so that the model can read it. */
export const callableTool = (
  tool: Omit<AccountTool, 'name'>,
  { name, label, shown, checkOutput }: ToolCall,
): Callable => ({
  method: 'tools/call',
  name,
  label,
  shown,
  scope: tool.scope,
  subject: tool.subject,
  refuse: errorResult,
  check: async (input) => expectInput(tool, input),
  call: async (input, caller, run) => {
    await expectInput(tool, input);
    // `find` has left out callers that the tool does not take.
    return tool.call(input, caller as McpCaller, run);
  },
  resultOf: (output) => {
    const breach = checkOutput?.(structuredOf(output));
    if (breach !== undefined) throw new Error(`the result breaks its outputSchema: ${breach}`);
    return toolResult(output);
  },
});
