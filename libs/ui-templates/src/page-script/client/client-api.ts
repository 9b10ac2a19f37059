/*
 * The page client of Gatehouse: `import { … } from '/svc/client.js'` in a page of the site. This text is
 * `/svc/client.d.ts`. A faulty call throws or rejects, with a message for developers.
 */

/** A tool of this page, in the shape of WebMCP. */
export interface PageTool<Input extends object = Record<string, unknown>> {
  /** 1 to 128 of ASCII letters, digits, `_`, `-` and `.`; unique in the page, also with `_` for each dot and cut at 64. */
  readonly name: string;
  /** For people; at most 200 characters. */
  readonly title?: string;
  /** For the model: what it does and when to use it; 1 to 2,000 characters. */
  readonly description: string;
  /** JSON Schema with `type: "object"`, at most 8 KiB. The arguments of an app have been validated against it. */
  readonly inputSchema?: object;
  /** JSON Schema as `inputSchema`: apps get no result that does not fit it. */
  readonly outputSchema?: object;
  /**
   * Hints for assistants; `untrustedContentHint`: results contain content that other people wrote;
   * `consequentialHint`: what it does matters, or cannot be undone.
   */
  readonly annotations?: {
    readonly readOnlyHint?: boolean;
    readonly untrustedContentHint?: boolean;
    readonly consequentialHint?: boolean;
  };
  /**
   * Runs the tool. What it returns, or resolves to, is the result: any JSON, or MCP content as
   * `{ content: [{ type: 'text', text }, …] }`. The message of an error reaches the model: say what to do instead.
   */
  execute(input: Input, call: ToolCall): unknown;
}

/** One call of a tool. */
export interface ToolCall {
  /** The name of the calling app, as its user sees it; null for the browser's own assistant. */
  readonly app: string | null;
  /** Aborted when the result is no longer awaited: the call was cancelled or timed out, or the connection is lost. */
  readonly signal: AbortSignal;
  /** Reports progress. `done` must grow with each report; `message` is cut at 200 characters. */
  progress(done: number, total?: number, message?: string): void;
}

export interface ToolOptions {
  /** Unregisters the tool; rejects the registration while it is open. */
  readonly signal?: AbortSignal;
  /** For the browser: origins that may see the tool. */
  readonly exposedTo?: readonly string[];
}

/**
 * Offers a tool to the apps that the user connected, as long as the hub is open, and to the browser where it has
 * `document.modelContext`: to both or to neither. Rejects with the browser's error, and with: `InvalidStateError` for
 * an invalid or used name, or without a description; `TypeError` for a tool without `execute` and a schema that is
 * not a JSON object; `QuotaExceededError` for more than 64 tools or 48 KiB.
 */
export declare function registerTool<Input extends object = Record<string, unknown>>(
  tool: PageTool<Input>,
  options?: ToolOptions,
): Promise<undefined>;

export interface BridgeOptions {
  /** Whether to offer a tool; its annotations are `{}` where it has none. By default all are offered. */
  readonly filter?: (name: string, annotations: NonNullable<PageTool['annotations']>) => boolean;
}

/**
 * Offers to the apps that the user connected what the page, and frames of its origin, registered with the browser
 * (`document.modelContext`), forms with `toolname` included, and follows its changes; what `registerTool` offers is
 * offered once. The hub opens while a user is signed in, also after a sign-in by {@link signIn} or {@link signUp}.
 * Resolves to false, and offers nothing, where the browser does not tell a page its tools. What cannot be offered is
 * named in the console. Calling it again replaces the filter.
 */
export declare function bridgeTools(options?: BridgeOptions): Promise<boolean>;

/** An open page of the account; its title and address are text that the page itself wrote. */
export interface Tab {
  readonly id: string;
  readonly title: string;
  readonly url: string;
  /** ISO 8601 UTC time. */
  readonly connectedAt: string;
  readonly toolNames?: readonly string[];
}

/** A call of an app that waits for the signed-in user's answer. */
export interface OpenRequest {
  readonly id: string;
  /** The app's name. */
  readonly app: string;
  /** What it wants to do, for people; text that a page may have written. */
  readonly title: string;
  /** Whether it takes a passkey to allow it. */
  readonly passkey: boolean;
  /** In epoch seconds. */
  readonly expiresAt: number;
}

/**
 * `waiting`: the connection is lost, or the user has left the page, and it will be retried; `signed-out`, also when
 * another account is signed in by then, and `too-many-tabs` wait for {@link Hub.open}.
 */
export type HubState =
  'closed' | 'connecting' | 'open' | 'waiting' | 'signed-out' | 'too-many-tabs';

/** The hub's events, as `detail` of a CustomEvent of that type. */
export interface HubEvents {
  state: HubState;
  /** The account's tabs, this one included, the oldest first. */
  tabs: readonly Tab[];
  /** From a tab (`from` is its id) or an app (`from` is null, `app` its name); `body` is any JSON. */
  message: { readonly from: string | null; readonly app?: string; readonly body: unknown };
  /** A security event of the account; `at` in epoch seconds. */
  account: { readonly type: string; readonly at: number };
  /** What apps ask of the user now, the newest first; empty as soon as the connection is lost. */
  requests: readonly OpenRequest[];
  /** A call of an app has ended; `error` is the message that the app got when the call was not done. */
  call: {
    readonly app: string;
    readonly tool: string;
    readonly input: unknown;
    readonly outcome: 'done' | 'refused' | 'cancelled';
    readonly error?: string;
  };
  /**
   * The hub refused a frame of this page. `tool`: it refused the page's tools because of this one, and gets them
   * without it; with the code `unlisted` it took them all, and assistants are not shown this one.
   */
  error: { readonly code: string; readonly message: string; readonly tool?: string };
}

/** This page as a tab of the signed-in user's account. */
export interface Hub {
  readonly state: HubState;
  /** The id of this tab; undefined unless the state is `open`. */
  readonly tabId: string | undefined;
  readonly tabs: readonly Tab[];
  /** As the event `requests` told last; empty before. */
  readonly requests: readonly OpenRequest[];
  /** Connects, and reconnects by itself for the same account when the connection is lost. Has no effect while open. */
  open(): void;
  close(): void;
  /** Title and URL that others see: at most 200 and 2,048 characters. By default the title and path of the page. */
  describe(about: { readonly title?: string; readonly url?: string }): void;
  /**
   * Sends any JSON to one tab, or to all others. Resolves to the number of tabs it was written to; rejects when that
   * number is unknown.
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

/**
 * Opens the page of a request of {@link Hub.requests}, on which the user answers it, in a window of its own. Call it
 * from a click: browsers open no window without one. Returns whether it was opened.
 */
export declare function reviewRequest(id: string): boolean;

export interface AccountStatus {
  readonly user: { readonly id: string; readonly displayName: string } | null;
  /** Today's credits; null when no one is signed in or the budget cannot be read. */
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
 * The ceremonies. Each starts from a click and may be repeated; it rejects with {@link Refusal} or with the error of
 * `navigator.credentials` (`NotAllowedError`: cancelled or timed out, at the latest after 5 minutes; `AbortError`:
 * another one was started meanwhile).
 */
export declare function signIn(): Promise<void>;
/** Creates an account and signs in to it; `invite` where the service requires a code. */
export declare function signUp(fields: {
  readonly displayName: string;
  readonly invite?: string;
}): Promise<void>;
/** Adds a passkey to the signed-in user's account. */
export declare function addPasskey(): Promise<void>;
export declare function signOut(): Promise<void>;

/** The service's refusal of a request. */
export declare class Refusal extends Error {
  private constructor();
  override readonly name: 'Refusal';
  /** The HTTP status; 0 when the service could not be reached. */
  readonly status: number;
  /** A sentence for people; may be empty. */
  readonly reason: string;
  readonly answer: {
    readonly retryAfterSeconds?: number;
    readonly requestId?: string;
    /** A machine-readable word, such as `sign_in_again` or `invite`. */
    readonly word?: string;
  };
}
