import { Module } from '@nestjs/common';
import { Registry } from 'prom-client';
import { HubMetricsService } from './hub-metrics.service.js';
import { LoadMetricsService } from './load-metrics.service.js';

/** What is counted in this process, for whoever counts; ManagementModule shows it. */
@Module({
  providers: [
    { provide: Registry, useFactory: () => new Registry() },
    HubMetricsService,
    LoadMetricsService,
  ],
  exports: [Registry, HubMetricsService, LoadMetricsService],
})
export class MetricsModule {}
