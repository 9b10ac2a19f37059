import { Module } from '@nestjs/common';
import { CodeRunner } from './runner/code-runner.js';
import { ConfigurableModuleClass } from './code-runner.module-definition.js';
import { PaidRunsService } from './billing/billed-runs.service.js';
import { QuickJsCodeRunner } from './runner/quickjs.adapter.js';
import { RunChargesService } from './billing/run-charges.service.js';
import { RunSlots } from './limits/user-run-limit.js';
import { InProcessRunSlots } from './limits/user-run-limit.in-process.js';
import { SlotLineService } from './limits/run-queue.service.js';

/** Runs code for apps: isolated, a few at once, and paid. */
@Module({
  providers: [
    PaidRunsService,
    RunChargesService,
    SlotLineService,
    { provide: CodeRunner, useClass: QuickJsCodeRunner },
    { provide: RunSlots, useClass: InProcessRunSlots },
  ],
  exports: [PaidRunsService],
})
export class CodeModule extends ConfigurableModuleClass {}
