import { randomBytes } from 'node:crypto';
import {
  type Attributes,
  type Context,
  context,
  createContextKey,
  ProxyTracerProvider,
  type Span as RecordedSpan,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
} from '@opentelemetry/api';
import { RequestLocal } from '../load/request-local.js';

export type { Attributes };

const KINDS = {
  internal: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
} as const;

/** A piece of work that takes time. */
export interface SpanDescription {
  /** One of few: nothing of what was sent. */
  readonly name: string;
  /** `client` for what waits for another service, a database included. */
  readonly kind: keyof typeof KINDS;
  /** By names of OpenTelemetry's semantic conventions. Nothing that is secret, or that strangers make up at length. */
  readonly attributes?: Attributes;
  /** What is done within it by `inSpan` is a part of it, and no span of its own. */
  readonly isLeaf?: boolean;
}

/** A piece of work that goes on and is recorded. */
export interface Span {
  set(attributes: Attributes): void;
  /** `errorType` says, in a word, why it failed. Once; later calls change nothing. */
  end(errorType?: string): void;
}

/** Of a request to another service. Where it goes is told, not what is asked for there: that may be secret. */
export const httpSpan = (
  method: string,
  { origin, hostname, port, protocol }: URL,
): SpanDescription => ({
  name: method,
  kind: 'client',
  attributes: {
    'http.request.method': method,
    'server.address': hostname,
    'server.port': Number(port || (protocol === 'https:' ? 443 : 80)),
    'url.full': `${origin}/REDACTED`,
  },
});

interface CurrentRequest {
  readonly id: string;
  /** The trace that it came with. */
  readonly given: SpanContext | undefined;
  /** How many have begun by `inSpan` and `followInSpan`. */
  spans: number;
}

const requests = new RequestLocal<CurrentRequest>();

/** So that a call that runs ten thousand statements is not all that is heard of a replica. */
const MOST_SPANS = 500;

const LEAF = createContextKey('gatehouse leaf');

/** The key that `suppressTracing` of the SDK sets: instrumentations and the SDK heed it. */
const SUPPRESSED = createContextKey('OpenTelemetry SDK Context Key SUPPRESS_TRACING');

/** Begins a request: does the work, and all that it starts, as a part of it. `given` is the trace that it came with. */
export const underRequest = <T>(id: string, given: SpanContext | undefined, work: () => T): T =>
  requests.run({ id, given, spans: 0 }, work);

/** The id of the request that is being handled, if one is. */
export const currentRequestId = (): string | undefined => requests.get()?.id;

/** The id of the trace that is recorded, else of the one that the request came with, if it did. */
export const currentTraceId = (): string | undefined =>
  (activeSpanContext() ?? requests.get()?.given)?.traceId;

/** Undefined where nothing is being recorded, and nothing could be. */
function activeSpanContext(): SpanContext | undefined {
  const active = trace.getSpanContext(context.active());
  return active && trace.isSpanContextValid(active) ? active : undefined;
}

/** Whether a provider of OpenTelemetry was registered: by the service, or by a team before it. */
export function hasTracerProvider(): boolean {
  const provider = trace.getTracerProvider();
  return !(provider instanceof ProxyTracerProvider && !provider.getDelegateTracer('gatehouse'));
}

/**
 * Does a piece of the work, and records how long that takes and whether it fails, of the error no more than its code
 * or name. Where nothing is being recorded, as outside of requests, it only does it, and gives it no span.
 */
export function inSpan<T>(
  describe: () => SpanDescription,
  work: (span?: Span) => Promise<T>,
): Promise<T> {
  const begun = begin(describe);
  return begun ? context.with(begun.below, () => recorded(begun.span, work)) : work();
}

async function recorded<T>(span: RecordedSpan, work: (span: Span) => Promise<T>): Promise<T> {
  const given: Span = {
    set: (attributes) => void span.setAttributes(attributes),
    end: (errorType) => end(span, errorType),
  };
  try {
    const result = await work(given);
    end(span);
    return result;
  } catch (error) {
    end(span, errorTypeOf(error));
    throw error;
  }
}

/** The same for a piece that has begun, and has none itself. */
export function followInSpan(describe: () => SpanDescription, work: Promise<unknown>): void {
  const span = begin(describe)?.span;
  if (!span) return;
  work.then(
    () => end(span),
    (error: unknown) => end(span, errorTypeOf(error)),
  );
}

/** Below a span that has ended nothing begins: what a request left behind, as a timer, is no part of it. */
function begin(describe: () => SpanDescription) {
  const active = context.active();
  if (trace.getSpan(active)?.isRecording() !== true || active.getValue(LEAF) === true)
    return undefined;
  const request = requests.get();
  if (request && (request.spans += 1) > MOST_SPANS) return undefined;
  const { name, kind, attributes = {}, isLeaf = false } = describe();
  const span = trace
    .getTracer('gatehouse')
    .startSpan(name, { kind: KINDS[kind], attributes }, active);
  const below: Context = trace.setSpan(active, span);
  return { span, below: isLeaf ? below.setValue(LEAF, true) : below };
}

function end(span: RecordedSpan, errorType?: string): void {
  if (!span.isRecording()) return;
  if (errorType !== undefined) {
    span.setAttribute('error.type', errorType).setStatus({ code: SpanStatusCode.ERROR });
  }
  span.end();
}

const ERROR_TYPE = /^[A-Za-z0-9_.]{1,64}$/;

function errorTypeOf(error: unknown): string {
  const { code, name } = Object(error) as { code?: unknown; name?: unknown };
  return [code, name].find(isErrorType) ?? 'Error';
}

/** Numbers are the codes of what `AbortSignal` throws, and say nothing to people. */
const isErrorType = (type: unknown): type is string =>
  typeof type === 'string' && ERROR_TYPE.test(type);

/** Does the work as a part of no trace, whatever a team instruments: hosts that strangers name hear of none. */
export const untraced = <T>(work: () => T): T =>
  context.with(context.active().setValue(SUPPRESSED, true), work);

/**
 * `traceparent` (W3C Trace Context) for what this request asks of a service that belongs to us: the trace that is
 * recorded, under the span that goes on just now; else the one that it came with, else one whose id is the request's
 * without hyphens, both under a new id each time. Empty outside of a request, and where its id has other characters.
 */
export function traceHeaders(): { readonly traceparent?: string } {
  const { traceId, spanId, traceFlags } = activeSpanContext() ?? unrecorded() ?? {};
  if (traceId === undefined) return {};
  const flags = traceFlags === TraceFlags.SAMPLED ? '01' : '00';
  return { traceparent: `00-${traceId}-${spanId}-${flags}` };
}

function unrecorded(): Partial<SpanContext> | undefined {
  const { id, given } = requests.get() ?? {};
  const spanId = randomBytes(8).toString('hex');
  return given ? { ...given, spanId } : { traceId: id && traceIdOf(id), spanId };
}

const TRACEPARENT =
  /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const MAX_LENGTH = 512;

/**
 * Reads the header `traceparent` (W3C Trace Context, §3.2); undefined where there is none, or no good one. The trace
 * is sampled only where the sender `isTrusted`: a stranger chose all of the header.
 */
export function readTraceparent(
  header: string | string[] | undefined,
  isTrusted: boolean,
): SpanContext | undefined {
  if (typeof header !== 'string' || header.length > MAX_LENGTH) return undefined;
  const [, version, traceId, spanId = '', flags = '', more] = TRACEPARENT.exec(header) ?? [];
  if (traceId === undefined || (version === '00' && more !== undefined)) return undefined;
  const isSampled = isTrusted && Number.parseInt(flags, 16) % 2 === 1;
  const traceFlags = isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE;
  return { traceId, spanId, traceFlags, isRemote: true };
}

const TRACE_ID = /^(?!0{32})[0-9a-f]{32}$/;

/** The id of the trace that a request begins: its own without hyphens, undefined where that cannot be one. */
export function traceIdOf(requestId: string): string | undefined {
  const id = requestId.replaceAll('-', '');
  return TRACE_ID.test(id) ? id : undefined;
}
