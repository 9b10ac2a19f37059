import { Injectable } from '@nestjs/common';
import { type FromSchema, type McpCaller, McpTool, ToolError, type ToolRun } from '#libs/mcp';
import { MAX_JSON_DEPTH, MAX_TIMEOUT_MS, BilledRunsService } from '#libs/code-runner';
import { isNestedDeeper } from '#libs/platform';
import { ANY_JSON } from './any-json.js';
import { asToolError } from './as-tool-error.js';
import { codeRefusal } from './code-refusals.js';

const MAX_CODE_BYTES = 65_536;
const MAX_INPUT_BYTES = 262_144;
const DEFAULT_TIMEOUT_MS = 1_000;

const INPUT = {
  type: 'object',
  properties: {
    code: {
      type: 'string',
      minLength: 1,
      maxLength: MAX_CODE_BYTES,
      description: 'Statements of a script that may await and return, at most 64 KiB.',
    },
    input: {
      ...ANY_JSON,
      description: 'Any JSON value of at most 256 KiB; null when left out.',
    },
    timeoutMs: {
      type: 'integer',
      minimum: 1,
      maximum: MAX_TIMEOUT_MS,
      default: DEFAULT_TIMEOUT_MS,
      description: 'How long the code may run, in milliseconds.',
    },
  },
  required: ['code'],
  additionalProperties: false,
} as const;

/** Runs JavaScript for an app, in the sandbox and within the user's daily budget. */
@Injectable()
export class RunCodeTool {
  constructor(private readonly runs: BilledRunsService) {}

  @McpTool({
    name: 'run_code',
    title: 'Run JavaScript',
    description:
      'Runs JavaScript in a sandbox and gives its value: that of the last expression, as in ' +
      '"const { items } = input; items.length", or what it returns where it has a return outside of ' +
      'functions. Await where you like. There is the language, input and console.log; there is no ' +
      'network, no file, no timer, no import and nothing left of earlier runs. It has 32 MiB of ' +
      'memory. The value is JSON of at most 64 KiB; what JSON cannot say of it is told beside it. ' +
      "Costs 1 credit of the user's daily budget per started 10 ms, and 1 per started 1,000 " +
      'characters of code for screening; to begin, the budget has to cover the whole timeoutMs and ' +
      '250 ms more.',
    scope: 'code:run',
    inputSchema: INPUT,
    outputSchema: {
      type: 'object',
      properties: {
        value: {
          ...ANY_JSON,
          description: 'Any JSON value; null where the code gave none, or what JSON cannot say.',
        },
        logs: {
          type: 'array',
          items: { type: 'string' },
          description: 'What the code logged, at most 100 lines and 16 KiB.',
        },
        creditsUsed: { type: 'integer', minimum: 0 },
      },
      required: ['value', 'logs', 'creditsUsed'],
    },
    annotations: {
      readOnlyHint: false,
      destructiveHint: false,
      idempotentHint: false,
      openWorldHint: false,
    },
  })
  async runCode(
    { code, input = null, timeoutMs = DEFAULT_TIMEOUT_MS }: FromSchema<typeof INPUT>,
    { user, app }: McpCaller,
    { signal }: ToolRun,
  ) {
    refuseOversized(code, input);
    const run = { userId: user.id, app, code, input, timeoutMs, signal };
    const { remarks, ...result } = await asToolError(this.runs.run(run), codeRefusal);
    if (remarks === '') return result;
    const content = [JSON.stringify(result), remarks].map((text) => ({ type: 'text', text }));
    return { content, structuredContent: result };
  }
}

function refuseOversized(code: string, input: unknown) {
  if (Buffer.byteLength(code) > MAX_CODE_BYTES) {
    throw new ToolError(`The code is larger than ${MAX_CODE_BYTES} bytes; send less.`);
  }
  if (isNestedDeeper(input, MAX_JSON_DEPTH)) {
    throw new ToolError(
      `The input is nested more than ${MAX_JSON_DEPTH} levels deep; send it flatter, or as JSON text that the code parses.`,
    );
  }
  if (Buffer.byteLength(JSON.stringify(input)) > MAX_INPUT_BYTES) {
    throw new ToolError(`The input is larger than ${MAX_INPUT_BYTES} bytes of JSON; send less.`);
  }
}
