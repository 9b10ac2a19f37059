import { Module } from '@nestjs/common';
import { CodeRunner } from './code-runner.js';
import { ConfigurableModuleClass } from './code.module-definition.js';
import { PaidRunsService } from './paid-runs.service.js';
import { QuickJsCodeRunner } from './quickjs.adapter.js';
import { RunChargesService } from './run-charges.service.js';
import { RunSlots } from './run-slots.js';
import { InProcessRunSlots } from './run-slots.in-process.js';
import { SlotLineService } from './slot-line.service.js';

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
