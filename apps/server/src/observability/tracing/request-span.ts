import {
  type Attributes,
  context,
  type Context,
  createContextKey,
  type Span,
  type SpanContext,
  SpanKind,
  type SpanOptions,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import type { Request, Response } from 'express';
import { onExchangeEnd } from '#libs/platform';
import { UPGRADED } from '#libs/tab-hub';
import {
  isFromTrustedProxy,
  pathOf,
  type TraceRequest,
} from '../logging/request-log.middleware.js';
import { methodLabel, routeLabel } from '../metrics/request-labels.js';

const SWITCHING_PROTOCOLS = 101;

/** Set where a trusted proxy sent the parent: our sampler ignores any other remote parent's decision. */
export const BELIEVED = createContextKey('gatehouse believed');

interface Origin extends Pick<SpanOptions, 'root' | 'links'> {
  readonly parent: Context;
}

/**
 * Handles each request in a span (HTTP semantic conventions), as a child of the trace context in the request. With a
 * team's own provider, whose sampler does not distinguish untrusted callers, their request starts a new trace with a
 * link to the one they sent.
 */
export const requestTracer =
  (isProviderOurs: boolean): TraceRequest =>
  (request, response, given, handle) => {
    const { parent, ...origin } = originOf(request, given, isProviderOurs);
    const options = { ...origin, kind: SpanKind.SERVER, attributes: attributesOf(request) };
    const span = trace.getTracer('gatehouse').startSpan(nameOf(request), options, parent);
    if (span.isRecording()) endWithAnswer(span, request, response);
    context.with(trace.setSpan(context.active(), span), handle);
  };

function originOf(
  request: Request,
  given: SpanContext | undefined,
  isProviderOurs: boolean,
): Origin {
  const active = context.active();
  // A span is active where a team instruments HTTP; that instrumentation has already read the header.
  if (!given || trace.getSpan(active)) return { parent: active };
  const parent = trace.setSpanContext(active, given);
  if (isFromTrustedProxy(request)) return { parent: parent.setValue(BELIEVED, true) };
  return isProviderOurs ? { parent } : { parent: active, root: true, links: [{ context: given }] };
}

/** Clients may make up methods. */
const nameOf = ({ method }: Request) => (methodLabel(method) === 'other' ? 'HTTP' : method);

/** Leaves out what may be secret or identify the user: the query, addresses, the user agent. */
function attributesOf(request: Request): Attributes {
  const { method, protocol, httpVersion } = request;
  return {
    ...(methodLabel(method) === 'other'
      ? { 'http.request.method': '_OTHER', 'http.request.method_original': method }
      : { 'http.request.method': method }),
    'url.path': pathOf(request),
    'url.scheme': protocol,
    'network.protocol.version': httpVersion,
  };
}

function endWithAnswer(span: Span, request: Request, response: Response): void {
  onExchangeEnd(response, () => end(span, request, response.statusCode));
  response.once(UPGRADED, () => end(span, request, SWITCHING_PROTOCOLS));
}

function end(span: Span, request: Request, status: number): void {
  if (!span.isRecording()) return;
  const route = routeLabel(request);
  if (route !== 'none')
    span.updateName(`${nameOf(request)} ${route}`).setAttribute('http.route', route);
  span.setAttribute('http.response.status_code', status);
  if (status >= 500) {
    span.setAttribute('error.type', String(status)).setStatus({ code: SpanStatusCode.ERROR });
  }
  span.end();
}
