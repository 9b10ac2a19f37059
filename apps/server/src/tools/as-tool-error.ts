import { BudgetExhaustedError } from '#libs/budget';
import {
  CodeTimeUpError,
  FailedRunError,
  ScreeningError,
  TooManyRunsError,
} from '#libs/code-runner';
import { type CallRefusalReason, ToolError } from '#libs/mcp';
import {
  CallTimeoutError,
  OversizedMessageError,
  TabGoneError,
  TooManyCallsError,
  UnknownTabError,
} from '#libs/tab-hub';

const REASONS: readonly (readonly [CallRefusalReason, ...(new (...given: never[]) => Error)[]])[] =
  [
    ['no credits', BudgetExhaustedError],
    ['tab gone', UnknownTabError, TabGoneError],
    ['took too long', CallTimeoutError, CodeTimeUpError],
    ['too many at once', TooManyCallsError, TooManyRunsError],
    ['bad arguments', OversizedMessageError],
    ['screened out', ScreeningError],
  ];

function reasonOf(error: unknown): CallRefusalReason | undefined {
  const cause = error instanceof FailedRunError ? error.cause : error;
  const found = REASONS.find(([, ...types]) => types.some((type) => cause instanceof type));
  return found?.[0];
}

/** The result of a promise; an error that `refusalOf` can explain becomes a ToolError for the model. */
export async function asToolError<T>(
  promise: Promise<T>,
  refusalOf: (error: unknown) => string | undefined | Promise<string | undefined>,
): Promise<T> {
  try {
    return await promise;
  } catch (error) {
    const refusal = await refusalOf(error);
    if (refusal === undefined) throw error;
    throw new ToolError(refusal, { cause: error, reason: reasonOf(error) });
  }
}
