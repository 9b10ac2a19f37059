import { ConfigError, readConfig } from './config.js';

const AT = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' };

const tracingOf = (variables: Record<string, string>) => readConfig(variables).tracing;

describe('where traces go', () => {
  it('is nowhere without an address', () => {
    expect(tracingOf({ OTEL_SERVICE_NAME: 'gate', OTEL_TRACES_SAMPLER: 'always_on' })).toBe(
      undefined,
    );
  });

  it('is below the address for everything', () => {
    expect(tracingOf(AT)).toEqual({
      url: 'http://collector:4318/v1/traces',
      headers: {},
      resource: { 'service.name': 'gatehouse' },
      sampler: { name: 'parentbased_always_on', ratio: 1 },
    });
    expect(
      tracingOf({ OTEL_EXPORTER_OTLP_ENDPOINT: 'https://otlp.example/otlp/?tenant=1' })?.url,
    ).toBe('https://otlp.example/otlp/v1/traces?tenant=1');
  });

  it('is the very address for traces', () => {
    const traces = { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://traces.example/' };
    expect(tracingOf({ ...AT, ...traces })?.url).toBe('https://traces.example/');
    expect(tracingOf(traces)?.url).toBe('https://traces.example/');
  });

  it('is told with headers and names', () => {
    const tracing = tracingOf({
      ...AT,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20one%2Ctwo== , x-scope = a',
      OTEL_RESOURCE_ATTRIBUTES: 'service.name=gate,deployment.environment.name=M%C3%BCnchen',
      OTEL_TRACES_SAMPLER: 'traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '.25',
    });
    expect(tracing).toMatchObject({
      headers: { authorization: 'Bearer one,two==', 'x-scope': 'a' },
      resource: { 'service.name': 'gate', 'deployment.environment.name': 'München' },
      sampler: { name: 'traceidratio', ratio: 0.25 },
    });
  });

  it('is of the service name before that of the resource', () => {
    const resource = { OTEL_RESOURCE_ATTRIBUTES: 'service.name=other' };
    expect(tracingOf({ ...AT, ...resource, OTEL_SERVICE_NAME: 'gate' })?.resource).toEqual({
      'service.name': 'gate',
    });
  });

  it.each([
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'not a url'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'ftp://collector'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'http://ann:secret@collector'],
    ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'grpc://collector'],
    ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'secret'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'a=secret,'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'a=%0d%0asecret'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'a=%zz'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'a b=secret'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'Content-Length=7'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'host=secret'],
    ['OTEL_RESOURCE_ATTRIBUTES', 'service.name'],
    ['OTEL_SERVICE_NAME', 'x'.repeat(256)],
    ['OTEL_TRACES_SAMPLER', 'jaeger_remote'],
    ['OTEL_TRACES_SAMPLER_ARG', '1.1'],
    ['OTEL_TRACES_SAMPLER_ARG', '-1'],
    ['OTEL_TRACES_SAMPLER_ARG', 'endpoint=http://x'],
  ])('refuses %s=%s in one line without the value', (variable, value) => {
    const read = () => readConfig({ [variable]: value });
    expect(read).toThrow(ConfigError);
    expect(read).toThrow(new RegExp(`^${variable} takes .+$`));
    expect(read).not.toThrow(/secret/);
  });
});
