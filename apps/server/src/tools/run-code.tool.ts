import { Injectable } from '@nestjs/common';
import { BudgetExhaustedError } from '#libs/budget';
import {
  affordableTimeoutMs,
  BilledRunsService,
  CodeCancelledError,
  CodeTimeUpError,
  FailedRunError,
  MAX_JSON_DEPTH,
  MAX_RUNS_PER_USER,
  MAX_TIMEOUT_MS,
  RunsUnavailableError,
  TooManyRunsError,
  UnstartedRunError,
  whose,
  whoseExhausted,
} from '#libs/code-runner';
import {
  ANY_JSON,
  type AnyMcpCaller,
  badArguments,
  type FromSchema,
  McpTool,
  type ToolRun,
} from '#libs/mcp';
import { isNestedDeeper } from '#libs/platform';
import { asToolError } from './as-tool-error.js';

const MAX_LOGS_SHOWN = 300;

const unavailable = (owner: string) =>
  `Code cannot be run right now because ${owner} daily budget cannot be charged, so nothing was run; try again later.`;

export function codeRefusal(error: unknown, isMachine = false): string | undefined {
  const owner = whose(isMachine);
  if (error instanceof FailedRunError) return failed(error);
  if (error instanceof BudgetExhaustedError) return unaffordable(error, isMachine);
  if (error instanceof TooManyRunsError) {
    return `${MAX_RUNS_PER_USER} runs of ${owner} code are going already and others wait, so nothing was run; wait for them to end, then try again.`;
  }
  if (error instanceof UnstartedRunError) {
    return `Nothing was run: ${error.message}; the screening cost ${credits(error.creditsUsed)}; try again in a few seconds.`;
  }
  if (error instanceof CodeCancelledError) {
    return 'It was cancelled, and only what ran until then is charged; call again if you need it.';
  }
  return error instanceof RunsUnavailableError ? unavailable(owner) : undefined;
}

function failed({ cause: failure, creditsUsed }: FailedRunError) {
  const advice =
    failure instanceof CodeTimeUpError
      ? `make it faster, or allow more with timeoutMs (at most ${MAX_TIMEOUT_MS})`
      : 'correct it and call again';
  const said = failure.logs.join('\n').slice(-MAX_LOGS_SHOWN);
  const logs = said === '' ? '' : ` The end of what it logged: ${JSON.stringify(said)}`;
  return `The code failed: ${failure.message}. It cost ${credits(creditsUsed)}; ${advice}.${logs}`;
}

function unaffordable(error: BudgetExhaustedError, isMachine: boolean) {
  const { amount, left, resetsAt, isCoveredByNow } = error;
  const { owner, orElse } = whoseExhausted(error, isMachine);
  if (left === undefined) return unavailable(owner);
  if (isCoveredByNow) {
    return `Nothing was run: other calls held too much of ${owner} daily budget a moment ago; try again now.`;
  }
  const affordable = affordableTimeoutMs(left);
  const advice = affordable > 0 ? `call with timeoutMs of at most ${affordable}, or ` : '';
  return (
    `Nothing was run: this may cost up to ${credits(amount)} of ${owner} daily budget and ` +
    `${left} are left; ${advice}try again after ${resetsAt}${orElse}.`
  );
}

const credits = (count: number) => `${count} ${count === 1 ? 'credit' : 'credits'}`;

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
    input: { ...ANY_JSON, description: 'Any JSON value of at most 256 KiB; null when left out.' },
    timeoutMs: {
      type: 'integer',
      minimum: 1,
      maximum: MAX_TIMEOUT_MS,
      default: DEFAULT_TIMEOUT_MS,
      description: 'How long the code may run, in milliseconds.',
    },
  },
  required: ['code'],
} as const;

/** Runs JavaScript for an app within its user's daily budget, or for a machine within its own, in the sandbox. */
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
      'memory. The value is JSON of at most 64 KiB; a second text block lists what JSON cannot ' +
      'express. ' +
      "Costs 1 credit of the user's daily budget per started 10 ms, and 1 per started 1,000 " +
      'characters of code for screening; to begin, the budget has to cover the whole timeoutMs and ' +
      '250 ms more.',
    scope: 'code:run',
    callers: 'both',
    inputSchema: INPUT,
    outputSchema: {
      type: 'object',
      properties: {
        value: {
          ...ANY_JSON,
          description: 'Any JSON value; null for no value, and for what JSON cannot express.',
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
    caller: AnyMcpCaller,
    { signal, expectAllowed }: ToolRun,
  ) {
    refuseOversized(code, input);
    const owner = caller.user
      ? { userId: caller.user.id, isMachine: undefined }
      : { userId: caller.account, isMachine: true as const };
    const limits = { timeoutMs, signal, expectAllowed };
    const run = this.runs.run({ ...owner, app: caller.app, code, input, ...limits });
    const { remarks, ...result } = await asToolError(run, (error) =>
      codeRefusal(error, owner.isMachine),
    );
    if (remarks === '') return result;
    const content = [JSON.stringify(result), remarks].map((text) => ({ type: 'text', text }));
    return { content, structuredContent: result };
  }
}

function refuseOversized(code: string, input: unknown) {
  if (Buffer.byteLength(code) > MAX_CODE_BYTES) {
    throw badArguments(`The code is larger than ${MAX_CODE_BYTES} bytes; send less.`);
  }
  if (isNestedDeeper(input, MAX_JSON_DEPTH)) {
    throw badArguments(
      `The input is nested more than ${MAX_JSON_DEPTH} levels deep; send it flatter, or as JSON text that the code parses.`,
    );
  }
  if (Buffer.byteLength(JSON.stringify(input)) > MAX_INPUT_BYTES) {
    throw badArguments(`The input is larger than ${MAX_INPUT_BYTES} bytes of JSON; send less.`);
  }
}
