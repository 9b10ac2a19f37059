import { hasTracerProvider } from '#libs/platform';
import { isWebhookUrl } from './variable-rules.js';

const ENDPOINTS = ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'OTEL_EXPORTER_OTLP_ENDPOINT'];
const PROTOCOLS = ['OTEL_EXPORTER_OTLP_TRACES_PROTOCOL', 'OTEL_EXPORTER_OTLP_PROTOCOL'];
const SPOKEN = 'http/protobuf';

/** Where traces go, if they go anywhere, and what is wrong with the variables, one line each. */
export interface Tracing {
  readonly endpoint: string | undefined;
  readonly problems: readonly string[];
}

/**
 * Of the variables of OpenTelemetry only what decides whether its SDK is started: the others it reads itself. None
 * of them concerns us where a team registered a provider first.
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
