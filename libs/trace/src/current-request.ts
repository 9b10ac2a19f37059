import { RequestLocal } from '#libs/load';
import { newSpanId, type Span, type SpanDescription } from './span.js';
import { type Trace, traceIdOf } from './traceparent.js';

/** What is known of a request that is a part of a trace. */
export interface RequestTrace {
  readonly trace: Trace;
  /** What is being done for it just now, where that is recorded. */
  readonly span?: Span | undefined;
}

interface TracedRequest extends RequestTrace {
  readonly requestId: string;
}

const requests = new RequestLocal<string | TracedRequest>();

/** The id of the request that is being handled, if one is. */
export function currentRequestId(): string | undefined {
  const request = requests.get();
  return typeof request === 'object' ? request.requestId : request;
}

/** The id of the trace that this request belongs to, if it does. */
export function currentTraceId(): string | undefined {
  return tracedRequest()?.trace.id;
}

function tracedRequest(): TracedRequest | undefined {
  const request = requests.get();
  return typeof request === 'object' ? request : undefined;
}

/** Begins a request: does the work, and all that it starts, as a part of it. */
export const underRequest = <T>(
  requestId: string,
  traced: RequestTrace | undefined,
  work: () => T,
): T => requests.run(traced === undefined ? requestId : { requestId, ...traced }, work);

/**
 * Does a piece of the work for a request, and records how long that takes and whether it fails, of the error no
 * more than its code or name. Outside of a request that is recorded it only does it, and gives it no span.
 */
export function inSpan<T>(
  describe: () => SpanDescription,
  work: (span?: Span) => Promise<T>,
): Promise<T> {
  const request = tracedRequest();
  const span = request?.span?.begin(describe());
  if (!request || !span) return work();
  return requests.run({ ...request, span }, () => recorded(span, work));
}

async function recorded<T>(span: Span, work: (span: Span) => Promise<T>): Promise<T> {
  try {
    const result = await work(span);
    span.end();
    return result;
  } catch (error) {
    span.end(errorTypeOf(error));
    throw error;
  }
}

/** The same for a piece that has begun, and has none itself. */
export function followInSpan(describe: () => SpanDescription, work: Promise<unknown>): void {
  const span = tracedRequest()?.span?.begin(describe());
  if (!span) return;
  work.then(
    () => span.end(),
    (error: unknown) => span.end(errorTypeOf(error)),
  );
}

const ERROR_TYPE = /^[A-Za-z0-9_.]{1,64}$/;

function errorTypeOf(error: unknown): string {
  const { code, name } = Object(error) as { code?: unknown; name?: unknown };
  return [code, name].find(isErrorType) ?? 'Error';
}

/** Numbers are the codes of what `AbortSignal` throws, and say nothing to anybody. */
const isErrorType = (type: unknown): type is string =>
  typeof type === 'string' && ERROR_TYPE.test(type);

/**
 * `traceparent` (W3C Trace Context) for what this request asks of a service that belongs to us: the trace that it
 * is of, else one whose id is the request's without hyphens, not sampled. The parent is what is being done just
 * now, where that is recorded, else a new id each time. Empty outside of a request, and where its id has other
 * characters.
 */
export function traceHeaders(): { readonly traceparent?: string } {
  const request = requests.get();
  if (request === undefined) return {};
  if (typeof request === 'object') return headersOf(request.trace, request.span?.id);
  const id = traceIdOf(request);
  return id === undefined ? {} : headersOf({ id, flags: '00' });
}

const headersOf = ({ id, flags }: Trace, parentId = newSpanId()) => ({
  traceparent: `00-${id}-${parentId}-${flags}`,
});
