import { Module } from '@nestjs/common';
import { defineModule } from '#libs/platform';
import { CodeRunner } from './runner/code-runner.js';
import { BilledRunsService } from './billing/billed-runs.service.js';
import { QuickJsCodeRunner } from './runner/quickjs.js';
import { InProcessUserRunLimit, UserRunLimit } from './limits/user-run-limit.js';
import { RunQueueService } from './limits/run-queue.service.js';

/**
 * Runs untrusted code, screened and billed. `imports` has to bring BudgetModule and ScreeningModule; with several
 * replicas, `providers` has to replace UserRunLimit by a RedisUserRunLimit.
 */
@Module({
  providers: [
    BilledRunsService,
    RunQueueService,
    { provide: CodeRunner, useClass: QuickJsCodeRunner },
    { provide: UserRunLimit, useClass: InProcessUserRunLimit },
  ],
  exports: [BilledRunsService],
})
export class CodeRunnerModule extends defineModule<object>('CodeRunner').ConfigurableModuleClass {}
