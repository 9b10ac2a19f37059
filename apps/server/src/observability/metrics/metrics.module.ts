import { Module } from '@nestjs/common';
import { Registry } from 'prom-client';
import { HubMetricsService } from './hub-metrics.service.js';

/** What is counted in this process, for whoever counts; ManagementModule shows it. */
@Module({
  providers: [{ provide: Registry, useFactory: () => new Registry() }, HubMetricsService],
  exports: [Registry, HubMetricsService],
})
export class MetricsModule {}
