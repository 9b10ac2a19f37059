import type { CallToolResult } from '@modelcontextprotocol/server';
import type { Undertaking } from '../calls/undertaking.js';
import { InputRequired } from '../rounds/input-required.js';
import { ToolError } from './tool.error.js';
import type { CallableTool } from './tool-registry.js';
import { refusal, structuredOf, toolResult } from './tool-result.js';

/** A call of a tool; what it refuses is a result too, which the model gets to read. */
export const toolUndertaking = (
  tool: CallableTool,
  input: unknown,
): Undertaking<CallToolResult> => ({
  label: tool.label,
  method: 'tools/call',
  name: tool.name,
  input,
  refuse: refusal,
  perform: async (caller, run) => {
    const misfit = await tool.checkInput(input);
    if (misfit !== undefined) throw new ToolError(`These arguments do not fit: ${misfit}.`);
    const output = await tool.call(input, caller, run);
    if (output instanceof InputRequired) return output;
    const problem = tool.checkOutput(structuredOf(output));
    if (problem !== undefined) throw new Error(`the result breaks its outputSchema: ${problem}`);
    return toolResult(output);
  },
});
