import type { InputRequired } from '../rounds/input-required.js';
import type { RoundOwner } from '../rounds/request-state.js';
import type { McpCaller } from '../tools/mcp-tool.js';
import type { ToolRun } from '../tools/tool-run.js';

/** What a client wants to be done: a tool called, a resource read, a prompt made. */
export interface Undertaking<Result> extends Omit<RoundOwner, 'grantId'> {
  /** What the audit trail and the log call it: in our words, or those of the application. */
  readonly label: string;
  readonly perform: (caller: McpCaller, run: ToolRun) => Promise<Result | InputRequired>;
  /** Says a sentence in the place of a result, or throws it. */
  readonly refuse: (sentence: string) => Result;
}
