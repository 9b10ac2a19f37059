import { Module } from '@nestjs/common';
import { ReadinessChecks } from '../health/readiness.service.js';
import { Registry } from '../prometheus.js';

/** The registry of metrics and the readiness checks of this process; ManagementModule serves them. */
@Module({
  providers: [{ provide: Registry, useFactory: () => new Registry() }, ReadinessChecks],
  exports: [Registry, ReadinessChecks],
})
export class MetricsModule {}
