import { randomBytes } from 'node:crypto';
import { RequestLocal } from '#libs/load';
import type { Trace } from './traceparent.js';

/** A request that came as a part of a trace. */
interface TracedRequest {
  readonly requestId: string;
  readonly trace: Trace;
}

const TRACE_ID = /^(?!0{32})[0-9a-f]{32}$/;

const requests = new RequestLocal<string | TracedRequest>();

/** The id of the request that is being handled, if one is. */
export function currentRequestId(): string | undefined {
  const request = requests.get();
  return typeof request === 'object' ? request.requestId : request;
}

/** The id of the trace that this request came with, if it did. */
export function currentTraceId(): string | undefined {
  const request = requests.get();
  return typeof request === 'object' ? request.trace.id : undefined;
}

/** Begins a request: does the work, and all that it starts, as a part of it. */
export const underRequest = <T>(requestId: string, trace: Trace | undefined, work: () => T): T =>
  requests.run(trace === undefined ? requestId : { requestId, trace }, work);

/**
 * `traceparent` (W3C Trace Context) for what this request asks of a service that belongs to us: the trace it
 * came with, else one whose id is the request's without hyphens, not sampled; with a new parent id each time.
 * Empty outside of a request, and where its id has other characters.
 */
export function traceHeaders(): { readonly traceparent?: string } {
  const request = requests.get();
  if (request === undefined) return {};
  const { id, flags } =
    typeof request === 'object' ? request.trace : { id: request.replaceAll('-', ''), flags: '00' };
  if (!TRACE_ID.test(id)) return {};
  return { traceparent: `00-${id}-${randomBytes(8).toString('hex')}-${flags}` };
}
