/** What a request says of the trace that it belongs to. Whoever sends it chose it: it decides nothing. */
export interface Trace {
  /** 32 digits of lower-case hexadecimal, not all 0. */
  readonly id: string;
  /** 2 digits, `01` for a trace that is sampled. */
  readonly flags: string;
}

const TRACEPARENT =
  /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-([0-9a-f]{2})(-.*)?$/;
const MAX_LENGTH = 512;

/** Reads the header `traceparent` (W3C Trace Context, §3.2); undefined where there is none, or no good one. */
export function readTraceparent(header: string | string[] | undefined): Trace | undefined {
  if (typeof header !== 'string' || header.length > MAX_LENGTH) return undefined;
  const [, version, id, flags = '', more] = TRACEPARENT.exec(header) ?? [];
  if (id === undefined || (version === '00' && more !== undefined)) return undefined;
  return { id, flags: Number.parseInt(flags, 16) % 2 === 1 ? '01' : '00' };
}
