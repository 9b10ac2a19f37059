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
import { RequestLocal } from './request-context.js';

export type { Attributes };

const KINDS = {
  internal: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
} as const;

/** Describes a piece of work to record. */
export interface SpanDescription {
  /** From a small set of names; contains nothing from the request. */
  readonly name: string;
  /** `client` for a call of another service, a database included. */
  readonly kind: keyof typeof KINDS;
  /** By OpenTelemetry's semantic conventions. No secrets, and no long texts that clients choose. */
  readonly attributes?: Attributes;
  /** Work inside it that uses `inSpan` gets no span of its own. */
  readonly isLeaf?: boolean;
}

export interface Span {
  set(attributes: Attributes): void;
  /** `errorType` is one word for the cause of a failure. Only the first call has an effect. */
  end(errorType?: string): void;
}

/** For a request to another service. Records its address but not its path, which may be secret. */
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
  /** The trace that the request came with. */
  readonly given: SpanContext | undefined;
  /** Number of spans begun by `inSpan` and `followInSpan`. */
  spans: number;
}

const requests = new RequestLocal<CurrentRequest>();

/** Limits the spans per request, so that a call with ten thousand statements does not crowd out all other traces. */
const MOST_SPANS = 500;

const LEAF = createContextKey('gatehouse leaf');

/** The key that `suppressTracing` of the SDK sets: instrumentations and the SDK respect it. */
const SUPPRESSED = createContextKey('OpenTelemetry SDK Context Key SUPPRESS_TRACING');

/** Begins a request: runs the work, and what it starts, as part of it. `given` is the trace that it came with. */
export const underRequest = <T>(id: string, given: SpanContext | undefined, work: () => T): T =>
  requests.run({ id, given, spans: 0 }, work);

export const currentRequestId = (): string | undefined => requests.get()?.id;

/** The id of the recorded trace, or else of the trace that the request came with. */
export const currentTraceId = (): string | undefined =>
  (activeSpanContext() ?? requests.get()?.given)?.traceId;

/** Undefined when no trace is active. */
function activeSpanContext(): SpanContext | undefined {
  const active = trace.getSpanContext(context.active());
  return active && trace.isSpanContextValid(active) ? active : undefined;
}

/** `@opentelemetry/api`, of which a process may have loaded several copies. */
export interface TracingApi {
  readonly trace: typeof trace;
  readonly ProxyTracerProvider: typeof ProxyTracerProvider;
}

/**
 * Whether an OpenTelemetry provider is registered that this copy of the API sees: the service's, or one that the
 * operator's own code registered earlier.
 */
export function hasTracerProvider(api: TracingApi = { trace, ProxyTracerProvider }): boolean {
  const provider = api.trace.getTracerProvider();
  return !(provider instanceof api.ProxyTracerProvider && !provider.getDelegateTracer('gatehouse'));
}

/**
 * Runs `work` in a span, which records its duration and, of an error, only its code or name. When nothing is being
 * recorded, as outside of requests, it runs `work` without a span.
 *
 * Not OpenTelemetry's instrumentations: there is none for SQLite, those of pg and undici record query texts and whole
 * addresses, which may be secret, and they patch only what is imported after them.
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

/** As `inSpan`, for work that has already begun: it does not get the span, and nothing in it is nested there. */
export function followInSpan(describe: () => SpanDescription, work: Promise<unknown>): void {
  const span = begin(describe)?.span;
  if (!span) return;
  work.then(
    () => end(span),
    (error: unknown) => end(span, errorTypeOf(error)),
  );
}

/** Begins nothing under a span that has ended: work that a request left behind, such as a timer, is not part of it. */
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

/** Numeric codes come from `AbortSignal`'s exceptions and are meaningless to readers. */
const isErrorType = (type: unknown): type is string =>
  typeof type === 'string' && ERROR_TYPE.test(type);

/** Runs the work outside of any trace, whatever is instrumented: hosts that clients choose get no trace headers. */
export const untraced = <T>(work: () => T): T =>
  context.with(context.active().setValue(SUPPRESSED, true), work);

/**
 * `traceparent` (W3C Trace Context) for requests to our own services: the recorded trace with its active span; or
 * else the trace that the request came with, or one with the request's id without hyphens, both with a new span id
 * each time. Empty outside of a request, and when its id is no valid trace id.
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
 * Reads the header `traceparent` (W3C Trace Context, §3.2); undefined when missing or invalid. The trace is sampled
 * only when the sender `isTrusted`, because any client can send this header.
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

/** The trace id for a request without a trace: its own id without hyphens, undefined when that is no valid one. */
export function traceIdOf(requestId: string): string | undefined {
  const id = requestId.replaceAll('-', '');
  return TRACE_ID.test(id) ? id : undefined;
}
