import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import protobuf from 'protobufjs';

/** The parts of OTLP's messages (opentelemetry/proto/trace/v1) that specs use. */
const { root } = protobuf.parse(`
  syntax = "proto3";
  message Export { repeated ResourceSpans resource_spans = 1; }
  message ResourceSpans { Resource resource = 1; repeated ScopeSpans scope_spans = 2; }
  message Resource { repeated KeyValue attributes = 1; }
  message ScopeSpans { Scope scope = 1; repeated Span spans = 2; }
  message Scope { string name = 1; }
  message Span {
    bytes trace_id = 1;
    bytes span_id = 2;
    bytes parent_span_id = 4;
    string name = 5;
    int32 kind = 6;
    fixed64 start_time_unix_nano = 7;
    fixed64 end_time_unix_nano = 8;
    repeated KeyValue attributes = 9;
    repeated Link links = 13;
    Status status = 15;
  }
  message Link { bytes trace_id = 1; }
  message Status { int32 code = 3; }
  message KeyValue { string key = 1; Value value = 2; }
  message Value { string string_value = 1; bool bool_value = 2; int64 int_value = 3; double double_value = 4; }
`);
const Export = root.lookupType('Export');

/** A span; its ids are in hexadecimal, as in W3C Trace Context. */
export interface CollectedSpan {
  /** The instrumentation scope, such as `gatehouse`. */
  readonly scope: string;
  readonly traceId: string;
  readonly spanId: string;
  /** Empty for the root span. */
  readonly parentSpanId: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: Readonly<Record<string, string | number | boolean>>;
  readonly links: readonly string[];
  readonly status?: { readonly code?: number };
}

interface Attribute {
  readonly key: string;
  readonly value: Readonly<Record<string, string | number | boolean>>;
}

interface RawSpan extends Pick<
  CollectedSpan,
  'name' | 'kind' | 'startTimeUnixNano' | 'endTimeUnixNano' | 'status'
> {
  readonly traceId: Buffer;
  readonly spanId: Buffer;
  readonly parentSpanId?: Buffer;
  readonly attributes: readonly Attribute[];
  readonly links: readonly { readonly traceId: Buffer }[];
}

interface RawExport {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] };
    readonly scopeSpans: readonly {
      readonly scope: { readonly name: string };
      readonly spans: readonly RawSpan[];
    }[];
  }[];
}

/** Receives traces over HTTP, as OTLP's protobuf, on a loopback port. */
export class TraceCollector {
  /** The status that it answers. */
  status = 200;
  readonly bodies: Buffer[] = [];
  readonly headers: IncomingHttpHeaders[] = [];
  readonly paths: (string | undefined)[] = [];

  private readonly server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    this.headers.push(request.headers);
    this.paths.push(request.url);
    if (this.status === 200) this.bodies.push(Buffer.concat(chunks));
    response.writeHead(this.status, { 'content-type': 'application/x-protobuf' }).end();
  });

  static async start(): Promise<TraceCollector> {
    const collector = new TraceCollector();
    collector.server.listen(0, '127.0.0.1');
    await once(collector.server, 'listening');
    return collector;
  }

  /** The value for `OTEL_EXPORTER_OTLP_ENDPOINT`. */
  get origin(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Variables that make a service export its spans here with little delay. */
  get variables(): Readonly<Record<string, string>> {
    return { OTEL_EXPORTER_OTLP_ENDPOINT: this.origin, OTEL_BSP_SCHEDULE_DELAY: '50' };
  }

  get spans(): readonly CollectedSpan[] {
    return this.exports.flatMap(({ scopeSpans }) =>
      scopeSpans.flatMap(({ scope, spans }) =>
        spans.map(({ traceId, spanId, parentSpanId, attributes, links, ...span }) => ({
          ...span,
          scope: scope.name,
          traceId: traceId.toString('hex'),
          spanId: spanId.toString('hex'),
          parentSpanId: parentSpanId?.toString('hex') ?? '',
          attributes: valuesOf(attributes),
          links: links.map((link) => link.traceId.toString('hex')),
        })),
      ),
    );
  }

  get resources(): readonly CollectedSpan['attributes'][] {
    return this.exports.map(({ resource }) => valuesOf(resource.attributes));
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private get exports() {
    return this.bodies.flatMap((body) => decode(body).resourceSpans);
  }
}

const decode = (body: Buffer) =>
  Export.toObject(Export.decode(body), { longs: String, arrays: true }) as RawExport;

const valuesOf = (attributes: readonly Attribute[]): CollectedSpan['attributes'] =>
  Object.fromEntries(
    attributes.map(({ key, value }) => [key, asNumber(value) ?? Object.values(value)[0] ?? '']),
  );

const asNumber = ({ intValue }: Attribute['value']) =>
  intValue === undefined ? undefined : Number(intValue);
