import type { jsonSchemaValidator, Tool as ToolDefinition } from '@modelcontextprotocol/server';
import { registrationProblem } from '../discovery/registration.js';
import type { AccountTool } from './account-tools.js';
import { type HeaderArgument, headerArgumentsOf } from './header-arguments.js';
import type { McpCaller, McpToolOptions, ObjectSchema } from './mcp-tool.js';
import type { ToolRun } from './tool-run.js';

/** A marked method. `owner` names it to whoever wrote it: `AccountStatusTool.accountStatus`. */
export interface FoundTool {
  readonly owner: string;
  readonly options: McpToolOptions;
  readonly call: (input: unknown, caller: McpCaller, run: ToolRun) => unknown;
}

/** What a call needs to know of its tool. */
export interface CallableTool extends AccountTool {
  /** What the audit trail calls it: in our words, or those of the application. */
  readonly label: string;
  /** What is wrong with the structured result, or undefined. */
  readonly checkOutput: (output: unknown) => string | undefined;
  /** Arguments that a request of 2026-07-28 repeats in headers. */
  readonly inHeaders: readonly HeaderArgument[];
}

export type RegisteredTool = FoundTool & CallableTool;

/**
 * The tools by name, their schemas compiled once for all requests. No name may begin with `prefix`.
 * @throws Error that names the tool and what is wrong with it
 */
export function registerTools(
  found: readonly FoundTool[],
  scopes: readonly string[],
  { validator, prefix }: { validator: jsonSchemaValidator; prefix: string },
): ReadonlyMap<string, RegisteredTool> {
  const tools = new Map<string, RegisteredTool>();
  for (const tool of found) {
    const { name, scope, inputSchema, outputSchema } = tool.options;
    const refuse = (problem: string, cause?: unknown) =>
      new Error(`MCP tool "${name}" (${tool.owner}) ${problem}`, { cause });
    if (name.startsWith(prefix)) {
      throw refuse(`has a name that begins with "${prefix}", which is for the tools of accounts`);
    }
    const misfit = registrationProblem(tool, 'tool', tools.get(name), scopes);
    if (misfit !== undefined) throw refuse(misfit);
    try {
      const checkInput = checkFor(inputSchema, validator);
      const checkOutput = outputSchema ? checkFor(outputSchema, validator) : () => undefined;
      const inHeaders = headerArgumentsOf(inputSchema);
      tools.set(name, { ...tool, name, label: name, scope, checkInput, checkOutput, inHeaders });
    } catch (cause) {
      throw refuse(`has a schema that cannot be used: ${String(cause)}`, cause);
    }
  }
  return tools;
}

function checkFor(schema: ObjectSchema, validator: jsonSchemaValidator) {
  if (schema.type !== 'object') throw new Error('its root has to be of type object');
  const validate = validator.getValidator<unknown>(schema);
  return (value: unknown) => {
    const checked = validate(value);
    return checked.valid ? undefined : checked.errorMessage;
  };
}

/** How `tools/list` shows a tool. */
export const definitionOf = ({ options }: RegisteredTool): ToolDefinition => {
  const { scope: _scope, ...definition } = options;
  return definition;
};
