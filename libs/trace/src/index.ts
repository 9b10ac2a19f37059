export { currentRequestId, currentTraceId, traceHeaders, underRequest } from './current-request.js';
export { readTraceparent, type Trace } from './traceparent.js';
