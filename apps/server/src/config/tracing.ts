import { hasTracerProvider } from '#libs/platform';
import { isWebhookUrl } from './variable-rules.js';

const ENDPOINTS = ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'OTEL_EXPORTER_OTLP_ENDPOINT'];
const PROTOCOLS = ['OTEL_EXPORTER_OTLP_TRACES_PROTOCOL', 'OTEL_EXPORTER_OTLP_PROTOCOL'];
const SPOKEN = 'http/protobuf';

/** Where traces are sent, if anywhere, and the problems of the variables, one line each. */
export interface Tracing {
  readonly endpoint: string | undefined;
  readonly problems: readonly string[];
}

/**
 * Reads only the OpenTelemetry variables that decide whether the SDK is started; the SDK reads the others itself.
 * None of them matters to us where a team has already registered a provider.
 */
export function readTracing(variables: NodeJS.ProcessEnv): Tracing {
  const isOff = variables['OTEL_SDK_DISABLED']?.trim().toLowerCase() === 'true';
  if (isOff || hasTracerProvider()) return { endpoint: undefined, problems: [] };
  const first = (names: readonly string[]) =>
    names.map((name) => [name, variables[name]?.trim() ?? ''] as const).find(([, value]) => value);
  const [protocolName, protocol = SPOKEN] = first(PROTOCOLS) ?? [];
  const [endpointName, endpoint] = first(ENDPOINTS) ?? [];
  const problems = [
    ...(protocol === SPOKEN ? [] : [`${protocolName} takes ${SPOKEN}`]),
    ...(endpoint === undefined || isWebhookUrl(endpoint)
      ? []
      : [`${endpointName} takes an http or https URL`]),
  ];
  return { endpoint, problems };
}
