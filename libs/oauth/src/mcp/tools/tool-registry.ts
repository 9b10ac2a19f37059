import type { jsonSchemaValidator, Tool as ToolDefinition } from '@modelcontextprotocol/server';
import type { McpCaller, McpToolOptions, ObjectSchema } from './mcp-tool.js';
import type { ToolRun } from './tool-run.js';

/** A marked method. `owner` names it to whoever wrote it: `AccountStatusTool.accountStatus`. */
export interface FoundTool {
  readonly owner: string;
  readonly options: McpToolOptions;
  readonly call: (input: unknown, caller: McpCaller, run: ToolRun) => unknown;
}

export interface RegisteredTool extends FoundTool {
  /** What is wrong with the arguments, or undefined. */
  readonly checkInput: (input: unknown) => string | undefined;
  /** What is wrong with the structured result, or undefined. */
  readonly checkOutput: (output: unknown) => string | undefined;
}

const NAME = /^[A-Za-z0-9_.-]{1,128}$/;

/**
 * The tools by name, their schemas compiled once for all requests.
 * @throws Error that names the tool and what is wrong with it
 */
export function registerTools(
  found: readonly FoundTool[],
  scopes: readonly string[],
  validator: jsonSchemaValidator,
): ReadonlyMap<string, RegisteredTool> {
  const tools = new Map<string, RegisteredTool>();
  for (const tool of found) {
    const { name, scope, inputSchema, outputSchema } = tool.options;
    const refuse = (problem: string, cause?: unknown) =>
      new Error(`MCP tool "${name}" (${tool.owner}) ${problem}`, { cause });
    const namesake = tools.get(name);
    if (!NAME.test(name)) throw refuse('needs a name of 1 to 128 letters, digits, _, - or .');
    if (namesake) throw refuse(`has the name of another tool, ${namesake.owner}`);
    if (!scopes.includes(scope)) {
      throw refuse(`needs the scope "${scope}", which is not one of: ${scopes.join(', ')}`);
    }
    // The low-level server of the library does not compare such headers with the arguments.
    if (JSON.stringify(inputSchema).includes('"x-mcp-header"')) {
      throw refuse('uses x-mcp-header in its inputSchema, which is not supported');
    }
    try {
      const checkInput = checkFor(inputSchema, validator);
      const checkOutput = outputSchema ? checkFor(outputSchema, validator) : () => undefined;
      tools.set(name, { ...tool, checkInput, checkOutput });
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
