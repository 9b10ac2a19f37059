import { misspeltVariables } from './misspelt-variables.js';

describe('variables that are one letter from one that is read', () => {
  it.each([
    ['REDIS_UR', 'REDIS_URL'],
    ['REDISS_URL', 'REDIS_URL'],
    ['REDIS-URL', 'REDIS_URL'],
    ['REIDS_URL', 'REDIS_URL'],
    ['PUBLIC_ORIGIN', 'PUBLIC_ORIGINS'],
    ['DATABASE_URL_FIL', 'DATABASE_URL_FILE'],
    ['XPORT', 'PORT'],
    ['POTR', 'PORT'],
  ])('%s may be meant for %s', (name, meant) => {
    expect(misspeltVariables({ [name]: 'x' })).toEqual([
      `${name} is not read: did you mean ${meant}?`,
    ]);
  });

  it('of an older version are told of too', () => {
    expect(misspeltVariables({ DEVTOOLS_PORT: '8000' })).toEqual([
      'DEVTOOLS_PORT is not read any more',
    ]);
  });

  it.each([
    ['one that is read', { PORT: '1', DATABASE_URL_FILE: '/x' }],
    ['one that is empty', { REDIS_UR: '' }],
    ['other names', { HOME: '/', PATH: '/bin', REDIS: 'x', SERVICE_TAGLINE: 'x' }],
    [
      'what Kubernetes injects',
      { MANAGEMENT_PORTS: 'tcp://10.0.0.1:1', A_SERVICE_HOST: '10.0.0.1' },
    ],
    ['those of OpenTelemetry', { OTEL_SERVICE_NAM: 'x', OTEL_EXPORTER_OTLP_ENDPOIN: 'x' }],
  ])('are not %s', (_what, variables) => {
    expect(misspeltVariables(variables)).toEqual([]);
  });
});
