export {
  currentRequestId,
  currentTraceId,
  followInSpan,
  inSpan,
  type RequestTrace,
  traceHeaders,
  underRequest,
} from './current-request.js';
export { type Attributes, newSpanId, type Span, type SpanDescription } from './span.js';
export { readTraceparent, type Trace, traceIdOf } from './traceparent.js';
