import type { Attributes, SpanDescription } from '#libs/trace';
import type { EndedSpan } from './recorded-span.js';

const KINDS: Record<SpanDescription['kind'], number> = { internal: 1, server: 2, client: 3 };

const ERROR = 2;

/** The body of an export (OTLP 1, JSON Protobuf encoding), of spans that all come from `resource`. */
export function otlpJson(spans: readonly EndedSpan[], resource: Attributes): string {
  const scopeSpans = [{ scope: { name: 'gatehouse' }, spans: spans.map(encode) }];
  return JSON.stringify({
    resourceSpans: [{ resource: { attributes: encodeAttributes(resource) }, scopeSpans }],
  });
}

function encode({ traceId, id, parentId, name, kind, errorType, ...span }: EndedSpan) {
  const failed = errorType !== undefined;
  return {
    traceId,
    spanId: id,
    ...(parentId === undefined ? {} : { parentSpanId: parentId }),
    name,
    kind: KINDS[kind],
    startTimeUnixNano: nanoseconds(span.startMs),
    endTimeUnixNano: nanoseconds(span.endMs),
    attributes: encodeAttributes({
      ...span.attributes,
      ...(failed ? { 'error.type': errorType } : {}),
    }),
    status: failed ? { code: ERROR } : {},
  };
}

const encodeAttributes = (attributes: Attributes) =>
  Object.entries(attributes).map(([key, value]) => ({ key, value: encodeValue(value) }));

function encodeValue(value: string | number) {
  if (typeof value === 'string') return { stringValue: value };
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}

/** Exact to the microsecond: a double has no more digits today. */
const nanoseconds = (epochMs: number) => String(BigInt(Math.round(epochMs * 1_000)) * 1_000n);
