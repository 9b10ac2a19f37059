import { randomUUID } from 'node:crypto';
import { type DynamicModule, Logger, Module, type OnApplicationShutdown } from '@nestjs/common';
import { readServiceVersion } from '../../config/service-version.js';
import type { TracingConfig } from '../../config/tracing-config.js';
import type { TraceRequest } from '../logging/request-log.middleware.js';
import { requestTracer } from './request-tracer.adapter.js';
import { samplerOf } from './sampler.js';
import { SpanExporter } from './span-exporter.adapter.js';

/** Sends the last spans when the application has ended. */
@Module({})
export class TracingModule implements OnApplicationShutdown {
  constructor(private readonly exporter: SpanExporter) {}

  static of(exporter: SpanExporter): DynamicModule {
    return {
      module: TracingModule,
      providers: [{ provide: SpanExporter, useValue: exporter }],
    };
  }

  async onApplicationShutdown() {
    await this.exporter.close();
  }
}

/** Requests, recorded and sent to where `config` says; `module` is for the application. */
export function openTracing(config: TracingConfig): {
  readonly traceRequest: TraceRequest;
  readonly module: DynamicModule;
} {
  const resource = {
    'service.version': readServiceVersion(),
    'service.instance.id': randomUUID(),
    ...config.resource,
  };
  const exporter = new SpanExporter({ ...config, resource }, new Logger('Tracing'));
  return {
    traceRequest: requestTracer(samplerOf(config.sampler), (span) => exporter.take(span)),
    module: TracingModule.of(exporter),
  };
}
