import { Module } from '@nestjs/common';
import { readServiceVersion } from '../../config/service-version.js';
import { AccountFiguresService } from '../metrics/account-figures.service.js';
import { EventMetricsService } from '../metrics/event-metrics.service.js';
import { MetricsModule } from '../metrics/metrics.module.js';
import { OutboxMetricsService } from '../metrics/outbox-metrics.service.js';
import { RequestMetricsService } from '../metrics/request-metrics.service.js';
import { StorageMetricsService } from '../metrics/storage-metrics.service.js';
import { ReadinessService } from '../health/readiness.service.js';
import { collectDefaultMetrics, Gauge, Registry } from '../prometheus.js';
import {
  ConfigurableModuleClass,
  ManagementListenerService,
} from './management-listener.service.js';

/** Health and metrics on a listener of their own. */
@Module({
  imports: [MetricsModule],
  providers: [
    AccountFiguresService,
    EventMetricsService,
    ManagementListenerService,
    OutboxMetricsService,
    ReadinessService,
    RequestMetricsService,
    StorageMetricsService,
  ],
})
export class ManagementModule extends ConfigurableModuleClass {
  constructor(registry: Registry) {
    super();
    collectDefaultMetrics({ register: registry });
    // The version, as other services show theirs: a gauge of 1 with a label.
    const buildInfo = new Gauge({
      name: 'gatehouse_build_info',
      help: 'Always 1; its label is the version that runs',
      labelNames: ['version'],
      registers: [registry],
    });
    buildInfo.set({ version: readServiceVersion() }, 1);
  }
}
