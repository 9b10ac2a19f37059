import type { McpCaller } from '../caller.js';
import type { ToolRun } from '../tools/tool-run.js';
import type { McpResourceOptions, UriVariables } from './mcp-resource.js';

/** How `resources/list` shows a resource of an account; the template provides the other members. */
export interface AccountResource {
  /** A uri that matches the template. */
  readonly uri: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
}

/** Resources that differ by account and over time, such as its open pages, beside those of the application. */
export abstract class AccountResources {
  static readonly portOf = 'mcp';

  /** What they have in common, with at least one variable in the uri; undefined without account resources. */
  abstract readonly template: McpResourceOptions | undefined;

  /** The entries of `resources/list` after those of the application; called only if the caller has the scope. */
  abstract list(caller: McpCaller): Promise<readonly AccountResource[]>;

  /** Text or bytes; undefined when the account has no such resource. Called only if the caller has the scope. */
  abstract read(
    variables: UriVariables,
    caller: McpCaller,
    run: ToolRun,
  ): Promise<string | Uint8Array | undefined>;

  /** Calls `listener` when the account's list may have changed, on any replica, until the returned function runs. */
  abstract onChanged(userId: string, listener: () => void): () => void;
}

/** For an application whose resources are the same for every account. */
export class NoAccountResources extends AccountResources {
  readonly template = undefined;

  async list() {
    return [];
  }

  async read() {
    return undefined;
  }

  onChanged() {
    return () => undefined;
  }
}
