import { Module } from '@nestjs/common';
import { Registry } from 'prom-client';
import { ReadinessChecks } from '../health/readiness.service.js';

/** The registry of metrics and the readiness checks of this process; ManagementModule serves them. */
@Module({
  providers: [{ provide: Registry, useFactory: () => new Registry() }, ReadinessChecks],
  exports: [Registry, ReadinessChecks],
})
export class MetricsModule {}
