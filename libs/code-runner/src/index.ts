export {
  affordableTimeoutMs,
  BilledRunsService,
  FailedRunError,
  UnstartedRunError,
} from './billing/billed-runs.service.js';
export {
  MAX_RUNS_PER_USER,
  RunsUnavailableError,
  TooManyRunsError,
  UserRunLimit,
} from './limits/user-run-limit.js';
export { CodeRunnerModule } from './code-runner.module.js';
export { RedisUserRunLimit } from './limits/user-run-limit.redis.js';
export {
  CodeBusyError,
  CodeCancelledError,
  CodeFailure,
  CodeOutOfMemoryError,
  type CodeResult,
  CodeResultError,
  type CodeRun,
  CodeRunner,
  CodeThrewError,
  CodeTimeUpError,
  MAX_JSON_DEPTH,
  MAX_TIMEOUT_MS,
} from './runner/code-runner.js';
export {
  ContentScreener,
  type ScreenedContent,
  type ScreeningResult,
} from './screening/content-screener.js';
export { ScreeningModule } from './screening/screening.module.js';
export {
  type ScreenedJson,
  ScreeningError,
  ScreeningService,
  whose,
  whoseExhausted,
} from './screening/screening.service.js';
export { WordListScreener } from './screening/word-list-screener.js';
