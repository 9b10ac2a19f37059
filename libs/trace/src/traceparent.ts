/** The trace that a request belongs to. Whoever sends it chose it: it decides nothing. */
export interface Trace {
  /** 32 digits of lower-case hexadecimal, not all 0. */
  readonly id: string;
  /** 2 digits, `01` for a trace that is sampled. */
  readonly flags: string;
  /** What asked for this, in the same trace: 16 digits of lower-case hexadecimal, not all 0. */
  readonly parentId?: string;
}

const TRACEPARENT =
  /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const MAX_LENGTH = 512;

/** Reads the header `traceparent` (W3C Trace Context, §3.2); undefined where there is none, or no good one. */
export function readTraceparent(header: string | string[] | undefined): Trace | undefined {
  if (typeof header !== 'string' || header.length > MAX_LENGTH) return undefined;
  const [, version, id, parentId = '', flags = '', more] = TRACEPARENT.exec(header) ?? [];
  if (id === undefined || (version === '00' && more !== undefined)) return undefined;
  return { id, parentId, flags: isSampled(flags) ? '01' : '00' };
}

const isSampled = (flags: string) => Number.parseInt(flags, 16) % 2 === 1;

const TRACE_ID = /^(?!0{32})[0-9a-f]{32}$/;

/** The id of the trace that a request begins: its own without hyphens, undefined where that cannot be one. */
export function traceIdOf(requestId: string): string | undefined {
  const id = requestId.replaceAll('-', '');
  return TRACE_ID.test(id) ? id : undefined;
}
