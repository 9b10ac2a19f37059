import {
  affordableTimeoutMs,
  CodeTimeUpError,
  FailedRunError,
  MAX_TIMEOUT_MS,
  RUNS_AT_ONCE,
  RunsUnavailableError,
  SlotsTakenError,
  UnaffordableRunError,
  UnstartedRunError,
} from '#libs/code-runner';
import { asToolError } from './as-tool-error.js';

const MAX_LOGS_SHOWN = 300;

/** What a run promises, with its refusals and failures said to the model; other errors stay as they are. */
export const explainedRun = <T>(promise: Promise<T>): Promise<T> =>
  asToolError(promise, sentenceFor);

function sentenceFor(error: unknown): string | undefined {
  if (error instanceof FailedRunError) return failed(error);
  if (error instanceof UnaffordableRunError) return unaffordable(error);
  if (error instanceof SlotsTakenError) {
    return `${RUNS_AT_ONCE} runs of the user's code are going already and others wait, so nothing was run; wait for them to end, then try again.`;
  }
  if (error instanceof UnstartedRunError) {
    return `Nothing was run: ${error.message}; the screening cost ${credits(error.creditsUsed)}; try again in a few seconds.`;
  }
  if (error instanceof RunsUnavailableError) {
    return "Code cannot be run right now because the user's daily budget cannot be charged, so nothing was run; try again later.";
  }
  return undefined;
}

function failed({ failure, creditsUsed }: FailedRunError) {
  const advice =
    failure instanceof CodeTimeUpError
      ? `make it faster, or allow more with timeoutMs (at most ${MAX_TIMEOUT_MS})`
      : 'correct it and call again';
  const said = failure.logs.join('\n').slice(-MAX_LOGS_SHOWN);
  const logs = said === '' ? '' : ` The end of what it logged: ${JSON.stringify(said)}`;
  return `The code failed: ${failure.message}. It cost ${credits(creditsUsed)}; ${advice}.${logs}`;
}

function unaffordable({ needed, left, resetsAt }: UnaffordableRunError) {
  if (left >= needed) {
    return "Nothing was run: other calls held too much of the user's daily budget a moment ago; try again now.";
  }
  const affordable = affordableTimeoutMs(left);
  const advice = affordable > 0 ? `call with timeoutMs of at most ${affordable}, or ` : '';
  return (
    `Nothing was run: this may cost up to ${credits(needed)} of the user's daily budget and ` +
    `${left} are left; ${advice}try again after ${resetsAt}.`
  );
}

const credits = (count: number) => `${count} ${count === 1 ? 'credit' : 'credits'}`;
