import type { McpCaller } from '../caller.js';

/**
 * Which tools there are for whom, beyond what scopes say. Asked for every list of tools, with the names of
 * those that the caller's scopes allow, and for every call, with the names that are called; tools of an account's pages are among them.
 * A tool that is left out is not listed, and a call of it is answered as one of a tool that does not
 * exist. A policy that rejects fails closed: the request ends as an internal error.
 */
export abstract class ToolPolicy {
  static readonly portOf = 'oauth';

  /** Those of `names` that there are for this caller. */
  abstract offered(names: readonly string[], caller: McpCaller): Promise<readonly string[]>;
}

/** Every tool is there for everybody. */
export class OpenToolPolicy extends ToolPolicy {
  async offered(names: readonly string[]): Promise<readonly string[]> {
    return names;
  }
}
