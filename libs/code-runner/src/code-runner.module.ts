import { Module } from '@nestjs/common';
import { CodeRunner } from './runner/code-runner.js';
import { ConfigurableModuleClass } from './code-runner.module-definition.js';
import { BilledRunsService } from './billing/billed-runs.service.js';
import { QuickJsCodeRunner } from './runner/quickjs.adapter.js';
import { RunChargesService } from './billing/run-charges.service.js';
import { UserRunLimit } from './limits/user-run-limit.js';
import { InProcessUserRunLimit } from './limits/user-run-limit.in-process.js';
import { RunQueueService } from './limits/run-queue.service.js';

/** Runs code for apps: isolated, a few at once, and paid. */
@Module({
  providers: [
    BilledRunsService,
    RunChargesService,
    RunQueueService,
    { provide: CodeRunner, useClass: QuickJsCodeRunner },
    { provide: UserRunLimit, useClass: InProcessUserRunLimit },
  ],
  exports: [BilledRunsService],
})
export class CodeRunnerModule extends ConfigurableModuleClass {}
