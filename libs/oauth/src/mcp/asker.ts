import type { AccountCall } from './account-calls.js';
import type { Callables } from './calls/callables.service.js';
import type { CallOrigin } from './calls/calls.service.js';
import type { EventStream } from './event-stream.js';
import type { McpCaller } from './tools/mcp-tool.js';

/** On whose behalf a request is answered, and what it may call. */
export interface Asker {
  readonly caller: McpCaller;
  readonly callables: Callables;
  readonly from: CallOrigin;
  readonly call: AccountCall;
  /** Where progress can be told; nowhere for a client that takes no events. */
  readonly stream: EventStream | undefined;
}
