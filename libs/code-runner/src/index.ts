export { FailedRunError, UnstartedRunError } from './billing/billed-run.error.js';
export {
  RunCancelledError,
  RunsUnavailableError,
  TooManyRunsError,
} from './limits/run-limit.error.js';
export { BilledRunsService } from './billing/billed-runs.service.js';
export { affordableTimeoutMs } from './billing/code-price.js';
export { CodeRunnerModule } from './code-runner.module.js';
export { RedisUserRunLimit } from './limits/user-run-limit.redis.js';
export { MAX_RUNS_PER_USER, UserRunLimit } from './limits/user-run-limit.js';
export {
  CodeBusyError,
  CodeCancelledError,
  CodeFailure,
  CodeOutOfMemoryError,
  CodeResultError,
  CodeThrewError,
  CodeTimeUpError,
} from './runner/code-failure.js';
export {
  type CodeResult,
  type CodeRun,
  CodeRunner,
  MAX_JSON_DEPTH,
  MAX_TIMEOUT_MS,
} from './runner/code-runner.js';
export {
  ContentScreener,
  type ScreenedContent,
  type ScreeningResult,
} from './screening/content-screener.js';
export { ScreeningModule } from './screening/screening.module.js';
export { type ScreenedJson, ScreeningService } from './screening/screening.service.js';
export { ScreeningError } from './screening/screening.error.js';
export { WordListScreener } from './screening/word-list.adapter.js';
