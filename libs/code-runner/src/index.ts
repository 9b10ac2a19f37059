export {
  FailedRunError,
  UnaffordableRunError,
  UnstartedRunError,
} from './billing/billed-run.error.js';
export { RunsUnavailableError, SlotsTakenError } from './limits/run-limit.error.js';
export { PaidRunsService } from './billing/billed-runs.service.js';
export { affordableTimeoutMs } from './billing/code-price.js';
export { CodeModule } from './code-runner.module.js';
export { RedisRunSlots } from './limits/user-run-limit.redis.js';
export { RUNS_AT_ONCE, RunSlots } from './limits/user-run-limit.js';
export {
  CodeBusyError,
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
  type ScreeningVerdict,
} from './screening/content-screener.js';
export { ScreeningModule } from './screening/screening.module.js';
export { ScreeningService } from './screening/screening.service.js';
export { stringsIn } from './screening/strings-in.js';
export { ScreeningError } from './screening/screening.error.js';
