import { context, trace } from '@opentelemetry/api';
import { NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import { ConfigError, readConfig } from './config.js';

const AT = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' };

const endpointOf = (variables: Record<string, string>) => readConfig(variables).tracesEndpoint;

describe('where traces go', () => {
  it.each([
    ['nowhere without an address', { OTEL_SERVICE_NAME: 'gate' }, undefined],
    ['nowhere with an empty one', { OTEL_EXPORTER_OTLP_ENDPOINT: ' ' }, undefined],
    ['nowhere where the SDK is off', { ...AT, OTEL_SDK_DISABLED: 'True' }, undefined],
    ['to the address for everything', AT, AT.OTEL_EXPORTER_OTLP_ENDPOINT],
    [
      'to that for traces before it',
      { ...AT, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://traces.example/in' },
      'https://traces.example/in',
    ],
  ])('is %s', (_where, variables, endpoint) => {
    expect(endpointOf(variables)).toBe(endpoint);
  });

  it.each([
    ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc', 'http/protobuf'],
    ['OTEL_EXPORTER_OTLP_PROTOCOL', 'http/json', 'http/protobuf'],
    ['OTEL_EXPORTER_OTLP_TRACES_PROTOCOL', 'grpc', 'http/protobuf'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'secret:4318', 'an http or https URL'],
    ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'grpc://secret', 'an http or https URL'],
  ])('refuses %s=%s in one line without the value', (variable, value, takes) => {
    const read = () => readConfig({ [variable]: value });
    expect(read).toThrow(new ConfigError([`${variable} takes ${takes}`]));
  });

  it('takes grpc for what else goes there', () => {
    const protocols = {
      OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc',
      OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'http/protobuf',
    };
    expect(endpointOf({ ...AT, ...protocols })).toBe(AT.OTEL_EXPORTER_OTLP_ENDPOINT);
  });

  it('leaves other variables of OpenTelemetry to its SDK, and names those that are set', () => {
    const { variables } = readConfig({ ...AT, OTEL_TRACES_SAMPLER: 'xray', PORT: '1', HOME: '/' });
    expect(variables).toEqual(['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_TRACES_SAMPLER', 'PORT']);
  });

  describe('where a team registered a provider', () => {
    beforeAll(() => new NodeTracerProvider().register());
    afterAll(() => {
      trace.disable();
      context.disable();
    });

    it('is for that to say', () => {
      expect(endpointOf({ ...AT, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' })).toBeUndefined();
    });
  });
});
