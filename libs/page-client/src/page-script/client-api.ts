/*
 * The page client of Gatehouse: `import { … } from '/svc/client.js'` in a page of the site. This text is
 * `/svc/client.d.ts`. What is wrong with a call is thrown or rejected, with a sentence for developers.
 */

/** A tool of this page, in the shape of WebMCP. */
export interface PageTool<Input extends object = Record<string, unknown>> {
  /** 1 to 128 of ASCII letters, digits, `_`, `-` and `.`; unique in the page, also with `_` for each dot and cut at 64. */
  readonly name: string;
  /** For people; at most 200 characters. */
  readonly title?: string;
  /** For the model: what it does and when to use it; 1 to 2,000 characters. */
  readonly description: string;
  /** JSON Schema with `type: "object"`, at most 8 KiB. What comes from an app was checked against it. */
  readonly inputSchema?: object;
  /** Hints for assistants; `untrustedContentHint`: results hold what others wrote. */
  readonly annotations?: {
    readonly readOnlyHint?: boolean;
    readonly untrustedContentHint?: boolean;
  };
  /**
   * Does it. What it returns, or resolves to, is the result: any JSON, or MCP content as
   * `{ content: [{ type: 'text', text }, …] }`. What it throws reaches the model: say what to do instead.
   */
  execute(input: Input, call: ToolCall): unknown;
}

/** One call of a tool. */
export interface ToolCall {
  /** The name of the app that asks, as its user sees it; null for the browser's own assistant. */
  readonly app: string | null;
  /** Aborted when nobody waits any more: cancelled, out of time, or the connection is lost. */
  readonly signal: AbortSignal;
  /** How far it is. `done` has to grow from one to the next; `message` is cut at 200 characters. */
  progress(done: number, total?: number, message?: string): void;
}

export interface ToolOptions {
  /** Unregisters the tool; rejects the registration while it is open. */
  readonly signal?: AbortSignal;
  /** For the browser: origins that may see the tool. */
  readonly exposedTo?: readonly string[];
}

/**
 * Offers a tool to the apps that the user connected, as long as the hub is open, and to the browser where
 * it has `document.modelContext`. It is with both or with neither. Rejects with what the browser rejects with, and:
 * `InvalidStateError` for a bad name, one that is taken, or no description; `TypeError` for a tool without
 * `execute` and a schema that is no JSON object; `QuotaExceededError` for more than 64 tools or 48 KiB.
 */
export declare function registerTool<Input extends object = Record<string, unknown>>(
  tool: PageTool<Input>,
  options?: ToolOptions,
): Promise<undefined>;

/** An open page of the account; what it says of itself is text that its page wrote. */
export interface Tab {
  readonly id: string;
  readonly title: string;
  readonly url: string;
  /** ISO 8601 UTC time. */
  readonly connectedAt: string;
  readonly toolNames?: readonly string[];
}

/** `waiting`: the connection is lost and tried again; `signed-out` and `too-many-tabs` wait for {@link Hub.open}. */
export type HubState =
  'closed' | 'connecting' | 'open' | 'waiting' | 'signed-out' | 'too-many-tabs';

/** What the hub tells, as `detail` of a CustomEvent of that type. */
export interface HubEvents {
  state: HubState;
  /** The account's tabs, this one included, the oldest first. */
  tabs: readonly Tab[];
  /** From a tab (`from` is its id) or an app (`from` is null, `app` its name); `body` is any JSON. */
  message: { readonly from: string | null; readonly app?: string; readonly body: unknown };
  /** Something happened to the account; `at` in epoch seconds. */
  account: { readonly type: string; readonly at: number };
  /** A call of an app has ended; `error` is what it was told, when it was not done. */
  call: {
    readonly app: string;
    readonly tool: string;
    readonly input: unknown;
    readonly outcome: 'done' | 'refused' | 'cancelled';
    readonly error?: string;
  };
  /** The hub did not act on something that this page said. */
  error: { readonly code: string; readonly message: string };
}

/** This page as a tab of the account of whoever is signed in. */
export interface Hub {
  readonly state: HubState;
  /** The id of this tab; undefined unless the state is `open`. */
  readonly tabId: string | undefined;
  readonly tabs: readonly Tab[];
  /** Connects, and comes back by itself when the connection is lost. Nothing happens where it is open. */
  open(): void;
  close(): void;
  /** What others see: 200 and 2,048 characters at most. By itself the title and path of the page. */
  describe(about: { readonly title?: string; readonly url?: string }): void;
  /**
   * Says any JSON to one tab, or to all others. Resolves to how many tabs it was written to; rejects when
   * that is not known.
   */
  send(body: unknown, to?: string): Promise<number>;
  addEventListener<Type extends keyof HubEvents>(
    type: Type,
    listener: (event: CustomEvent<HubEvents[Type]>) => void,
    options?: AddEventListenerOptions,
  ): void;
  removeEventListener<Type extends keyof HubEvents>(
    type: Type,
    listener: (event: CustomEvent<HubEvents[Type]>) => void,
  ): void;
}

export declare const hub: Hub;

export interface AccountStatus {
  readonly user: { readonly id: string; readonly displayName: string } | null;
  /** Credits of today; null when nobody is signed in, or they cannot be read. */
  readonly budget: {
    readonly used: number;
    readonly limit: number;
    /** ISO 8601 UTC time. */
    readonly resetsAt: string;
  } | null;
}

/** Who is signed in. Rejects with {@link Refusal}. */
export declare function fetchAccount(): Promise<AccountStatus>;

/**
 * The ceremonies. Each is begun by a click, rejects with {@link Refusal} or with what
 * `navigator.credentials` rejects with (`NotAllowedError`: cancelled or timed out), and can be tried again.
 */
export declare function signIn(): Promise<void>;
/** Makes an account and signs in to it; `invite` where the service wants a code. */
export declare function signUp(fields: {
  readonly displayName: string;
  readonly invite?: string;
}): Promise<void>;
/** One more passkey for whoever is signed in. */
export declare function addPasskey(): Promise<void>;
export declare function signOut(): Promise<void>;

/** What the service said instead of doing it. */
export declare class Refusal extends Error {
  private constructor();
  override readonly name: 'Refusal';
  /** Of HTTP; 0 when the service could not be reached. */
  readonly status: number;
  /** A sentence for people, not always there. */
  readonly reason: string;
  readonly answer: {
    readonly retryAfterSeconds?: number;
    readonly requestId?: string;
    /** One word for programs, such as `sign_in_again` or `invite`. */
    readonly word?: string;
  };
}
