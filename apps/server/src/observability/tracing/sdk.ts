import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Logger, Module, type OnApplicationShutdown } from '@nestjs/common';
import { context, propagation, trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  type IdGenerator,
  NodeTracerProvider,
  ParentBasedSampler,
  RandomIdGenerator,
  type Sampler,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace-node';
import { OutageLog, currentRequestId, traceIdOf } from '#libs/platform';
import { readServiceVersion } from '../../config/service-version.js';
import { BELIEVED } from './request-span.js';

const FLUSH_MS = 2_000;

/** The SDK's default: follow the parent's decision, and record every trace without a parent. */
const PARENTBASED_ALWAYS_ON = ['', 'parentbased_', 'always_on'];

const random = new RandomIdGenerator();

/** A trace that begins with a request uses the request's id. */
const ids: IdGenerator = {
  generateSpanId: () => random.generateSpanId(),
  generateTraceId: () => {
    const isInside = trace.getActiveSpan() !== undefined;
    return (isInside ? undefined : traceIdOf(currentRequestId() ?? '')) ?? random.generateTraceId();
  },
};

/** The sampler for `OTEL_TRACES_SAMPLER`, as the SDK reads it; the SDK exports no function for that. */
function samplerOfEnvironment(): Sampler {
  const { OTEL_TRACES_SAMPLER: name = '', OTEL_TRACES_SAMPLER_ARG: given } = process.env;
  const [, parentBased, root] =
    /^(parentbased_)?(always_on|always_off|traceidratio)$/.exec(name) ?? PARENTBASED_ALWAYS_ON;
  const ratio = Number(given || 1);
  const sampler =
    root === 'always_on'
      ? new AlwaysOnSampler()
      : root === 'always_off'
        ? new AlwaysOffSampler()
        : new TraceIdRatioBasedSampler(ratio >= 0 && ratio <= 1 ? ratio : 1);
  return parentBased === undefined ? sampler : new ParentBasedSampler({ root: sampler });
}

/**
 * Only trusted proxies decide whether a remote trace is recorded. For any other caller `sampler` decides as for a new
 * trace, with an id that the caller did not choose: it can neither force the recording of a request nor prevent it.
 */
const believingProxies = (sampler: Sampler): Sampler => ({
  shouldSample: (parent, traceId, ...what) =>
    trace.getSpanContext(parent)?.isRemote === true && parent.getValue(BELIEVED) !== true
      ? sampler.shouldSample(trace.deleteSpan(parent), ids.generateTraceId(), ...what)
      : sampler.shouldSample(parent, traceId, ...what),
  toString: () => sampler.toString(),
});

/** The resource of all traces; environment variables take precedence. */
const resource = () =>
  defaultResource()
    .merge(
      resourceFromAttributes({
        'service.name': 'gatehouse',
        'service.version': readServiceVersion(),
        'service.instance.id': randomUUID(),
      }),
    )
    .merge(detectResources({ detectors: [envDetector] }));

/** Logs once that spans do not arrive, and once that they do again. */
class ToldExporter extends OTLPTraceExporter {
  private readonly outage = new OutageLog(new Logger('Tracing'));

  constructor(private readonly host: string) {
    super();
  }

  override export(...[spans, done]: Parameters<OTLPTraceExporter['export']>): void {
    super.export(spans, (result) => {
      const { host, outage } = this;
      if (result.error) outage.begin(`traces do not arrive at ${host}: ${reasonOf(result.error)}`);
      else outage.end(`traces arrive at ${host} again`);
      done(result);
    });
  }
}

function reasonOf(error: Error): string {
  const { code } = error as { code?: unknown };
  if (typeof code === 'number') return `answered with ${code}`;
  return typeof code === 'string' ? code : error.message;
}

let provider: NodeTracerProvider | undefined;

/**
 * Registers OpenTelemetry's SDK for this process, configured by environment variables only, and sends spans to
 * `endpoint`. `TracingModule` shuts it down.
 */
export function startTracing(endpoint: string): void {
  provider = new NodeTracerProvider({
    resource: resource(),
    sampler: believingProxies(samplerOfEnvironment()),
    idGenerator: ids,
    spanProcessors: [new BatchSpanProcessor(new ToldExporter(new URL(endpoint).host))],
  });
  provider.register();
}

/** Sends the last spans when the application has ended, for two seconds at most. */
@Module({})
export class TracingModule implements OnApplicationShutdown {
  async onApplicationShutdown() {
    const sent = provider?.shutdown().catch(() => undefined);
    await Promise.race([sent, sleep(FLUSH_MS, undefined, { ref: false })]);
    for (const api of [trace, context, propagation]) api.disable();
  }
}
