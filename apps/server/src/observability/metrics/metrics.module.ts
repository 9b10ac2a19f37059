import { Module } from '@nestjs/common';
import { Registry } from 'prom-client';
import { ReadinessChecks } from '../health/readiness-checks.js';
import { HubMetricsService } from './hub-metrics.service.js';
import { LoadMetricsService } from './load-metrics.service.js';

/** What is counted and checked in this process, for whoever does; ManagementModule shows it. */
@Module({
  providers: [
    { provide: Registry, useFactory: () => new Registry() },
    ReadinessChecks,
    HubMetricsService,
    LoadMetricsService,
  ],
  exports: [Registry, ReadinessChecks, HubMetricsService, LoadMetricsService],
})
export class MetricsModule {}
