import type { McpCaller } from '../caller.js';
import type { ToolRun } from '../tools/tool-run.js';
import type { McpResourceOptions, UriVariables } from './mcp-resource.js';

/** How `resources/list` shows a resource of an account; the rest is as the template has it. */
export interface AccountResource {
  /** One that the template makes. */
  readonly uri: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
}

/** Resources that come and go with an account, such as its open pages, beside those of the application. */
export abstract class AccountResources {
  static readonly portOf = 'oauth';

  /** What all of them have in common, their uri with at least one variable; undefined when there are none. */
  abstract readonly template: McpResourceOptions | undefined;

  /** What `resources/list` shows after the resources of the application; asked only with the template's scope. */
  abstract list(caller: McpCaller): Promise<readonly AccountResource[]>;

  /** Text or bytes; undefined when this account has no such resource. Asked only with the template's scope. */
  abstract read(
    variables: UriVariables,
    caller: McpCaller,
    run: ToolRun,
  ): Promise<string | Uint8Array | undefined>;

  /** Calls `listener` when the account's list may have changed, on whatever replica; until the function it returns is called. */
  abstract onChanged(userId: string, listener: () => void): () => void;
}

/** For an application whose resources are the same for everybody. */
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
