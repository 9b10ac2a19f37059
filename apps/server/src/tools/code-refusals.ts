import { BudgetExhaustedError } from '#libs/budget';
import {
  affordableTimeoutMs,
  CodeTimeUpError,
  FailedRunError,
  MAX_TIMEOUT_MS,
  MAX_RUNS_PER_USER,
  RunCancelledError,
  RunsUnavailableError,
  TooManyRunsError,
  UnstartedRunError,
} from '#libs/code-runner';

const MAX_LOGS_SHOWN = 300;

const UNAVAILABLE =
  "Code cannot be run right now because the user's daily budget cannot be charged, so nothing was run; try again later.";

/** The message to the model about a run that was refused or failed; undefined for any other error. */
export function codeRefusal(error: unknown): string | undefined {
  if (error instanceof FailedRunError) return failed(error);
  if (error instanceof BudgetExhaustedError) return unaffordable(error);
  if (error instanceof TooManyRunsError) {
    return `${MAX_RUNS_PER_USER} runs of the user's code are going already and others wait, so nothing was run; wait for them to end, then try again.`;
  }
  if (error instanceof UnstartedRunError) {
    return `Nothing was run: ${error.message}; the screening cost ${credits(error.creditsUsed)}; try again in a few seconds.`;
  }
  if (error instanceof RunCancelledError) {
    return 'It was cancelled, and only what ran until then is charged; call again if you need it.';
  }
  return error instanceof RunsUnavailableError ? UNAVAILABLE : undefined;
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

function unaffordable({ amount, left, resetsAt, isCoveredByNow }: BudgetExhaustedError) {
  if (left === undefined) return UNAVAILABLE;
  if (isCoveredByNow) {
    return "Nothing was run: other calls held too much of the user's daily budget a moment ago; try again now.";
  }
  const affordable = affordableTimeoutMs(left);
  const advice = affordable > 0 ? `call with timeoutMs of at most ${affordable}, or ` : '';
  return (
    `Nothing was run: this may cost up to ${credits(amount)} of the user's daily budget and ` +
    `${left} are left; ${advice}try again after ${resetsAt}.`
  );
}

const credits = (count: number) => `${count} ${count === 1 ? 'credit' : 'credits'}`;
