import { Module } from '@nestjs/common';
import { ReadinessChecks } from '../health/readiness.service.js';
import { Registry, TeamRegistry } from '../prometheus.js';

/** The registry of metrics and the readiness checks of this process; ManagementModule serves them. */
@Module({
  providers: [
    { provide: Registry, useFactory: () => new Registry() },
    {
      provide: TeamRegistry,
      useFactory: (registry: Registry) => registry.forTeams(),
      inject: [Registry],
    },
    ReadinessChecks,
  ],
  exports: [Registry, TeamRegistry, ReadinessChecks],
})
export class MetricsModule {}
