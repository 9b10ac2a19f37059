import type { Request, Response } from 'express';
import { onExchangeEnd } from '#libs/load';
import { RELEASED } from '#libs/tab-hub';
import { readTraceparent, traceIdOf } from '#libs/trace';
import {
  isFromTrustedProxy,
  pathOf,
  type TraceRequest,
} from '../logging/request-log.middleware.js';
import { methodLabel, routeLabel } from '../metrics/request-labels.js';
import { type EndedSpan, type RecordedSpan, Recording } from './recorded-span.js';
import { newTraceId, type Sampler } from './sampler.js';

const SWITCHING_PROTOCOLS = 101;

/**
 * Every request is of the trace that it came with, or begins one. Whether that is recorded is for `sampler` to say,
 * which hears of a parent only from trusted proxies: a stranger can neither have himself recorded nor hide.
 */
export const requestTracer =
  (sampler: Sampler, take: (span: EndedSpan) => void): TraceRequest =>
  (request, response, requestId) => {
    const given = readTraceparent(request.headers['traceparent']);
    const own = traceIdOf(requestId) ?? newTraceId();
    const isSampled = sampler(own, isFromTrustedProxy(request) ? given : undefined);
    const trace = { id: given?.id ?? own, flags: isSampled ? '01' : '00' };
    if (!isSampled) return { trace };
    const { method } = request;
    const description = { name: method, kind: 'server' } as const;
    const span = new Recording(trace.id, take).begin(description, given?.parentId);
    if (span) endWithAnswer(span, request, response);
    return { trace, span };
  };

function endWithAnswer(span: RecordedSpan, request: Request, response: Response): void {
  onExchangeEnd(response, () => end(span, request, response.statusCode));
  response.once(RELEASED, () => end(span, request, SWITCHING_PROTOCOLS));
}

function end(span: RecordedSpan, request: Request, status: number): void {
  const method = methodLabel(request.method);
  const isKnown = method !== 'other';
  const name = isKnown ? method : 'HTTP';
  const route = routeLabel((request.route as { path?: unknown } | undefined)?.path);
  span.rename(route === 'none' ? name : `${name} ${route}`);
  span.set({
    'http.request.method': isKnown ? method : '_OTHER',
    ...(route === 'none' ? {} : { 'http.route': route }),
    'url.path': pathOf(request),
    'http.response.status_code': status,
  });
  span.end(status >= 500 ? String(status) : undefined);
}
