import type {
  CallToolResult,
  GetPromptResult,
  ProtocolError,
  ReadResourceResult,
  ServerCapabilities,
} from '@modelcontextprotocol/server';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import type { CallDescription, CallKind, User } from '#libs/accounts';
import {
  type Access,
  type AccessGrant,
  accessGrantOf,
  accountOf,
  type ApprovalPage,
} from '#libs/oauth';
import type { ListEntry } from './list-page.js';
import type { McpEra } from './message.js';
import type { HeaderArgument } from './message-headers.js';
import type { QuestionReply, StateOwner } from './question.js';

/** The user and the app that a call comes from. */
export interface McpCaller {
  readonly user: User;
  /** The app's name, as its user saw it. */
  readonly app: string;
  readonly grantId: string;
  /** What it may use, also where its person is asked each time. */
  readonly scopes: readonly string[];
  /** @internal Those of the scopes for which each call needs a yes of the person. */
  readonly ask: readonly string[];
  /** @internal Whether calls that need this scope, which `scopes` lack, become requests to the person. */
  readonly mayAskFor: AccessGrant['mayAskFor'];
  /** @internal */
  readonly pausedBy: AccessGrant['pausedBy'];
  /** @internal The most credits that it may use on a UTC day, within the account's limit; null for no own limit. */
  readonly dailyCredits: number | null;
  /** The grant's properties. */
  readonly props: { readonly userId: string; readonly app: string };
}

/** A machine client, which calls for itself: no user gave it a grant, and none can be asked. */
export interface McpMachine {
  readonly user?: undefined;
  /** The client's name. */
  readonly app: string;
  readonly clientId: string;
  readonly scopes: readonly string[];
  /** Whose budget its calls are charged to, as those of people are to `user.id`; no user has this id. */
  readonly account: string;
}

export type ToolCallers = 'people' | 'machines' | 'both';

export type McpCallerOf<Callers extends ToolCallers> =
  | (Callers extends 'machines' ? never : McpCaller)
  | (Callers extends 'people' ? never : McpMachine);

export type AnyMcpCaller = McpCallerOf<'both'>;

/** Resolves to the caller as its person allows it by then; to undefined when its access has ended. */
export type LookAgain = () => Promise<AnyMcpCaller | undefined>;

/** The grant of a person's app; a machine client, which has none, stands for itself. */
export const holderOf = (caller: AnyMcpCaller): string =>
  caller.user ? caller.grantId : caller.account;

export function callerOf(access: Access): AnyMcpCaller {
  if (access.user) return personOf(access);
  const { app, clientId, scopes } = access;
  return { app, clientId, scopes, account: accountOf(access) };
}

const personOf = (access: AccessGrant): McpCaller => ({
  user: access.user,
  app: access.app,
  grantId: access.grantId,
  scopes: access.scopes,
  ask: access.ask,
  mayAskFor: access.mayAskFor,
  pausedBy: access.pausedBy,
  dailyCredits: access.dailyCredits,
  props: { userId: access.user.id, app: access.app },
});

/** The user and the app of a request, as tools get them. Only behind BearerGuard. */
export const Caller = createParamDecorator<never, McpCaller>((_data, context: ExecutionContext) =>
  personOf(accessGrantOf(context.switchToHttp().getRequest<Request>())),
);

/** Whether lists have what needs this scope: what the caller may use, and what it may ask its person for. */
export const isListedFor = (caller: AnyMcpCaller, scope: string): boolean =>
  caller.scopes.includes(scope) || (caller.user !== undefined && caller.mayAskFor(scope));

/** How a tool interacts with its client while it runs. */
export interface ToolRun extends QuestionReply {
  /** Aborts when the client no longer waits, or at the time limit; what the tool returns later is discarded. */
  readonly signal: AbortSignal;
  /** Reports progress to a client that asked for it. `done` has to increase; `total` is its final value, if known. */
  readonly progress: (done: number, total?: number, message?: string) => void;
  /** @internal */
  readonly notes?: CallNotes;
  /**
   * @internal Before what a call that has waited does or shows: asks again whether its caller may do this. Rejects with
   * ToolError.
   */
  readonly expectAllowed?: () => Promise<void>;
}

/** What becomes known of a call while it runs, for its event; what is missing is as its Callable says. */
export type CallNotes = {
  -readonly [Member in keyof Omit<CallDescription, 'kind'>]?: CallDescription[Member];
};

export const KINDS = {
  'tools/call': 'tool',
  'resources/read': 'resource',
  'prompts/get': 'prompt',
} as const satisfies Record<StateOwner['method'], CallKind>;

/** What an MCP client learns about any tool, resource or prompt, and the one scope that its use needs. */
export interface McpMethodOptions {
  /** Unique among the tools, resources or prompts of the application: 1 to 128 of `A-Z a-z 0-9 _ - .`. */
  readonly name: string;
  /** Shown to people where a client lists it. */
  readonly title: string;
  /**
   * For the model: what a tool or resource does, when to use it and what it costs; for people: what a prompt is for.
   */
  readonly description: string;
  /** A scope of the application; a caller without it can neither list nor use it. */
  readonly scope: string;
}

export type DecoratorOf<Method> = <T extends Method>(
  target: object,
  method: string,
  descriptor: TypedPropertyDescriptor<T>,
) => void;

export type CallResult = CallToolResult | GetPromptResult | ReadResourceResult;

/** What a call does, as far as it depends on its arguments. */
export interface CallSubject {
  /** The open page that it goes to. */
  readonly page?: ApprovalPage | undefined;
  /** As its person knows it, where the tool stands for others, as `call_tab` does. */
  readonly title?: string | undefined;
  /** Whether the page says that what it does has consequences. */
  readonly isConsequential?: boolean | undefined;
  /** Checks what the page's own schema says of the arguments, as the call does. @throws ToolError */
  readonly expectFit?: (() => Promise<void>) | undefined;
  /** The call to this tab alone, where its arguments name none: it goes to no other page than the one that was shown. */
  readonly callIn?:
    ((tab: string) => (input: unknown, caller: McpCaller, run: ToolRun) => unknown) | undefined;
}

export interface Callable extends Pick<StateOwner, 'method' | 'name'> {
  /** Its name in the audit trail and the log: ours or the application's, never chosen by a client. */
  readonly label: string;
  /** What its person knows it by. */
  readonly shown: Pick<CallDescription, 'name' | 'title'>;
  /** The one scope that a call needs; undefined for a target that refuses every call of this caller. */
  readonly scope: string | undefined;
  /** Arguments that a request of 2026-07-28 repeats in headers. */
  readonly inHeaders?: readonly HeaderArgument[];
  /** Whether each call needs a yes of its person, confirmed with a passkey. */
  readonly confirm?: boolean | undefined;
  /** What a call with these arguments does; undefined members, and no error, for arguments that do not fit. */
  readonly subject?:
    ((input: unknown, caller: McpCaller) => Promise<CallSubject | undefined>) | undefined;
  /** Checks the input alone, for a call whose person is asked first. @throws as `call` */
  readonly check?: ((input: unknown, caller: McpCaller) => Promise<void>) | undefined;
  /** Checks the input and runs the application's code: a question (InputRequired), or what `resultOf` accepts. */
  readonly call: (input: unknown, caller: AnyMcpCaller, run: ToolRun) => Promise<unknown>;
  readonly resultOf: (output: unknown) => CallResult;
  /** Returns an error sentence as the result, or throws it as a ProtocolError. */
  readonly refuse: (sentence: string) => CallResult;
}

interface McpList {
  readonly member: string;
  readonly entriesFor: (caller: AnyMcpCaller) => Promise<readonly ListEntry[]>;
}

export interface McpFeature {
  /** The method of a call, and the parameter that names its target. */
  readonly calledBy: { readonly method: Callable['method']; readonly parameter: 'name' | 'uri' };
  /** Undefined when the application does not have the feature, which is then not announced. */
  capabilities(era: McpEra): ServerCapabilities | undefined;
  /** The lists that clients can request, by method; each shows what the caller's scopes allow. */
  readonly lists: Readonly<Record<string, McpList>>;
  /** The existing targets among the names, regardless of the caller's scopes. */
  find(names: readonly string[], caller: AnyMcpCaller): Promise<readonly Callable[]>;
  /** The label of a target of the application, also where the caller may not use it; undefined for any other name. */
  labelOf(name: string): string | undefined;
  notFound(name: string): ProtocolError;
}
