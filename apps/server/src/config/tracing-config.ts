import { readKeyValues } from './key-values.js';
import type { TracingEnvironment } from './tracing-environment.js';

/** Where traces go, and which. */
export interface TracingConfig {
  /** Takes OTLP over HTTP, as JSON. */
  readonly url: string;
  /** Whoever has them may write there: never to be told. */
  readonly headers: Readonly<Record<string, string>>;
  /** What all of them come from, by OpenTelemetry's names. */
  readonly resource: Readonly<Record<string, string>>;
  readonly sampler: Sampling;
}

export interface Sampling {
  readonly name: TracingEnvironment['OTEL_TRACES_SAMPLER'];
  /** How many of all, 0 to 1, where its name says so. */
  readonly ratio: number;
}

/** Undefined where no address is set: nothing is recorded then. */
export function tracingOf(environment: TracingEnvironment): TracingConfig | undefined {
  const url = urlOf(environment);
  if (url === undefined) return undefined;
  return {
    url,
    headers: readKeyValues(environment.OTEL_EXPORTER_OTLP_HEADERS ?? '') ?? {},
    resource: resourceOf(environment),
    sampler: { name: environment.OTEL_TRACES_SAMPLER, ratio: environment.OTEL_TRACES_SAMPLER_ARG },
  };
}

const resourceOf = ({
  OTEL_SERVICE_NAME: name,
  OTEL_RESOURCE_ATTRIBUTES: list,
}: TracingEnvironment) => ({
  'service.name': 'gatehouse',
  ...readKeyValues(list ?? ''),
  ...(name === undefined ? {} : { 'service.name': name }),
});

/** The address for traces is whole, the one for everything is what theirs begins with. */
function urlOf(environment: TracingEnvironment): string | undefined {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: base, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: traces } =
    environment;
  if (traces !== undefined || base === undefined) return traces;
  const url = new URL(base);
  url.pathname = `${url.pathname.replace(/\/$/, '')}/v1/traces`;
  return url.href;
}
