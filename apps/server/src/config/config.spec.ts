import { context, trace } from '@opentelemetry/api';
import { NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import { ConfigError, readConfig } from './config.js';

const SECRET = `whsec_${btoa('a secret of twenty-four!')}`;

const problemsOf = (variables: Record<string, string>) => {
  try {
    readConfig(variables);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
};

describe('configuration', () => {
  it('has a default for everything', () => {
    expect(readConfig({})).toEqual({
      variables: [],
      misspelt: [],
      settings: expect.any(Array),
      exposed: [],
      listen: { port: 3000, host: '127.0.0.1' },
      database: { type: 'sqlite', path: `${process.cwd()}/data/gatehouse.sqlite` },
      migratesAtStart: true,
      redisUrl: undefined,
      redisPrefix: '',
      publicOrigins: undefined,
      trustedProxies: [],
      clientAddressHeader: undefined,
      rateLimit: { max: 300, periodMs: 60_000 },
      sessionLifetimes: { idleMs: 604_800_000, maxMs: 2_592_000_000 },
      addPasskeyMaxAgeMs: undefined,
      grantMaxAgeMs: undefined,
      auditRetentionMs: 180 * 24 * 60 * 60 * 1000,
      budgetDailyLimit: 1000,
      serviceName: 'Gatehouse',
      website: { url: undefined, icons: [] },
      brand: {},
      signInLinks: undefined,
      clientDocuments: { allowedHosts: undefined, blockedHosts: [], privateHosts: [] },
      signUp: 'open',
      registration: true,
      machineClients: false,
      approvals: 'click',
      privateUseRedirectSchemes: [],
      resources: [],
      extraFormActions: [],
      screeningWebhookUrl: undefined,
      eventsWebhook: undefined,
      management: undefined,
      devtoolsPort: undefined,
      tracesEndpoint: undefined,
      logLevel: 'info',
      shutdownGraceMs: 10_000,
    });
  });

  it('takes an empty variable as unset', () => {
    expect(readConfig({ PORT: '', REDIS_URL: '', PUBLIC_ORIGINS: '' })).toEqual(readConfig({}));
  });

  it('reads every variable', () => {
    const variables = {
      PORT: '0',
      HOST: '::',
      DATABASE_URL: 'postgres://gate:secret@db/gate',
      MIGRATE: 'off',
      REDIS_URL: 'redis://cache:6379/2',
      PUBLIC_ORIGINS: 'https://gate.example, http://localhost:3000',
      TRUSTED_PROXIES: 'loopback, 10.0.0.0/8, 2001:db8::/32',
      CLIENT_ADDRESS_HEADER: 'CF-Connecting-IP',
      RATE_LIMIT_MAX: '5',
      RATE_LIMIT_PERIOD: '7',
      SESSION_IDLE_DAYS: '1',
      SESSION_MAX_DAYS: '2',
      REDIS_PREFIX: 'gate-1:',
      ADD_PASSKEY_MAX_AGE: '1440',
      GRANT_MAX_DAYS: '3650',
      AUDIT_RETENTION_DAYS: '30',
      BUDGET_DAILY_LIMIT: '0',
      SERVICE_NAME: 'Gate \u2116 7',
      SERVICE_WEBSITE: 'https://gate.example/about',
      SERVICE_ICONS: 'https://gate.example/icon.svg, https://gate.example/icon.png?v=2',
      SERVICE_ACCENT: '#8A1538',
      SERVICE_LINKS:
        'Legal & more|de:Impressum=https://gate.example/legal?a=b, Privacy=https://gate.example/p',
      SIGN_IN_LINKS:
        'Sign in with Acme|de:Mit Acme anmelden|pt-BR:Entrar: Acme=/sso/acme, Staff=/sso/staff?x=%2C|de:',
      CIMD_PRIVATE_HOSTS: 'localhost:8443, [::1]:443, 127.0.0.1:9',
      CIMD_ALLOWED_HOSTS: 'app.example, *.app.example',
      CIMD_BLOCKED_HOSTS: 'evil.example',
      REGISTRATION: 'off',
      MACHINE_CLIENTS: 'on',
      APPROVALS: 'passkey',
      BASELINE_SCOPES: 'account:read, acme:notes',
      SIGN_UP: 'invite',
      PRIVATE_USE_REDIRECT_SCHEMES: 'cursor, com.example.app',
      EXTRA_FORM_ACTIONS: 'claude:, https://app.example:8443, https://*.app.example',
      SCREENING_WEBHOOK_URL: 'https://screen.example/check?key=1',
      EVENTS_WEBHOOK_URL: 'https://events.example/hook',
      EVENTS_WEBHOOK_SECRET: `${SECRET}, whsec_${btoa('x'.repeat(64))}`,
      MANAGEMENT_PORT: '9090',
      MANAGEMENT_HOST: '0.0.0.0',
      MANAGEMENT_ALLOWED_HOSTS: 'replica-1, metrics.internal',
      CONSOLE: 'on',
      ADMIN_TOKEN: 'correct-horse/battery+staple_0123==',
      LOG_LEVEL: 'debug',
      SHUTDOWN_GRACE: '0',
    };
    expect(readConfig({ ...variables, HOME: '/root' })).toEqual({
      variables: Object.keys(variables).toSorted(),
      misspelt: [],
      settings: expect.any(Array),
      exposed: [],
      listen: { port: 0, host: '::' },
      database: { type: 'postgres', url: 'postgres://gate:secret@db/gate' },
      migratesAtStart: false,
      redisUrl: 'redis://cache:6379/2',
      redisPrefix: 'gate-1:',
      publicOrigins: ['https://gate.example', 'http://localhost:3000'],
      trustedProxies: ['loopback', '10.0.0.0/8', '2001:db8::/32'],
      clientAddressHeader: 'CF-Connecting-IP',
      rateLimit: { max: 5, periodMs: 7000 },
      sessionLifetimes: { idleMs: 86_400_000, maxMs: 172_800_000 },
      addPasskeyMaxAgeMs: 24 * 60 * 60 * 1000,
      grantMaxAgeMs: 3650 * 24 * 60 * 60 * 1000,
      auditRetentionMs: 30 * 24 * 60 * 60 * 1000,
      budgetDailyLimit: 0,
      serviceName: 'Gate \u2116 7',
      website: {
        url: 'https://gate.example/about',
        icons: ['https://gate.example/icon.svg', 'https://gate.example/icon.png?v=2'],
      },
      brand: {
        accent: '#8A1538',
        links: [
          {
            label: 'Legal & more',
            texts: { de: 'Impressum' },
            href: 'https://gate.example/legal?a=b',
          },
          { label: 'Privacy', texts: {}, href: 'https://gate.example/p' },
        ],
        website: 'https://gate.example/about',
      },
      signInLinks: [
        {
          text: 'Sign in with Acme',
          texts: { de: 'Mit Acme anmelden', 'pt-BR': 'Entrar: Acme' },
          path: '/sso/acme',
        },
        { text: 'Staff', texts: {}, path: '/sso/staff?x=%2C|de:' },
      ],
      clientDocuments: {
        allowedHosts: ['app.example', '*.app.example'],
        blockedHosts: ['evil.example'],
        privateHosts: ['localhost:8443', '[::1]:443', '127.0.0.1:9'],
      },
      signUp: 'invite',
      registration: false,
      machineClients: true,
      approvals: 'passkey',
      baselineScopes: ['account:read', 'acme:notes'],
      privateUseRedirectSchemes: ['cursor', 'com.example.app'],
      resources: [],
      extraFormActions: ['claude:', 'https://app.example:8443', 'https://*.app.example'],
      screeningWebhookUrl: 'https://screen.example/check?key=1',
      eventsWebhook: {
        url: 'https://events.example/hook',
        secrets: [SECRET, `whsec_${btoa('x'.repeat(64))}`],
      },
      management: {
        port: 9090,
        host: '0.0.0.0',
        allowedHosts: ['replica-1', 'metrics.internal'],
        admin: { token: 'correct-horse/battery+staple_0123==', tokensFile: undefined },
        console: true,
      },
      logLevel: 'debug',
      shutdownGraceMs: 0,
    });
  });

  it.each([
    ['PORT', '65536'],
    ['PORT', ' '],
    ['PORT', '0x1'],
    ['HOST', 'a b'],
    ['DATABASE_URL', 'mysql://db/gate'],
    ['DATABASE_URL', 'sqlite::memory:'],
    ['DATABASE_URL', 'sqlite:'],
    ['DATABASE_URL', 'postgres://u:a%b@h/db'],
    ['DATABASE_URL', 'postgres://u@h:port/db'],
    ['REDIS_URL', 'localhost:6379'],
    ['REDIS_URL', 'redis+sentinel://one:26379'],
    ['REDIS_PREFIX', 'gate*'],
    ['REDIS_PREFIX', 'x'.repeat(65)],
    ['REDIS_PREFIX', 'gate 1'],
    ['PUBLIC_ORIGINS', 'gate.example'],
    ['PUBLIC_ORIGINS', 'https://*'],
    ['PUBLIC_ORIGINS', 'https://gate.example/'],
    ['PUBLIC_ORIGINS', 'https://Gate.example'],
    ['PUBLIC_ORIGINS', 'https://gate.example:443'],
    ['PUBLIC_ORIGINS', 'http://gate.example'],
    ['PUBLIC_ORIGINS', 'https://gate.example,'],
    ['TRUSTED_PROXIES', '1'],
    ['TRUSTED_PROXIES', '0.0.0.0/0'],
    ['TRUSTED_PROXIES', 'fe80::1%eth0'],
    ['TRUSTED_PROXIES', 'true'],
    ['TRUSTED_PROXIES', '10.0.0.0/33'],
    ['TRUSTED_PROXIES', '10.0.0.0/8/8'],
    ['TRUSTED_PROXIES', '0x0a.0.0.1'],
    ['CLIENT_ADDRESS_HEADER', 'X Real IP'],
    ['RATE_LIMIT_MAX', '0'],
    ['RATE_LIMIT_PERIOD', '1m'],
    ['SESSION_IDLE_DAYS', '0'],
    ['SESSION_MAX_DAYS', '366'],
    ['ADD_PASSKEY_MAX_AGE', '0'],
    ['ADD_PASSKEY_MAX_AGE', '1441'],
    ['GRANT_MAX_DAYS', '0'],
    ['GRANT_MAX_DAYS', '3651'],
    ['AUDIT_RETENTION_DAYS', '29'],
    ['AUDIT_RETENTION_DAYS', '3651'],
    ['BUDGET_DAILY_LIMIT', '-1'],
    ['SERVICE_NAME', 'a\u202eb'],
    ['SERVICE_NAME', ' a'],
    ['SERVICE_WEBSITE', 'gate.example'],
    ['SERVICE_WEBSITE', 'http://gate.example'],
    ['SERVICE_WEBSITE', 'https://ann:secret@gate.example'],
    ['LOCALES', 'de,'],
    ['LOCALES', 'de_DE'],
    ['LOCALES', '*'],
    ['LOCALES', '__proto__'],
    ['SERVICE_ICONS', 'https://gate.example/icon.svg,'],
    ['SERVICE_ICONS', 'data:image/png;base64,AAAA'],
    ['SERVICE_ICONS', `https://gate.example/${'x'.repeat(500)}`],
    ['SERVICE_ICONS', Array(5).fill('https://gate.example/icon.svg').join()],
    ['SERVICE_ACCENT', '1c5d86'],
    ['SERVICE_ACCENT', '#18f'],
    ['SERVICE_ACCENT', 'red'],
    ['SERVICE_ACCENT', '#777777'],
    ['SERVICE_LINKS', 'https://gate.example/imprint'],
    ['SERVICE_LINKS', '=https://gate.example/imprint'],
    ['SERVICE_LINKS', 'Imprint=http://gate.example/imprint'],
    ['SERVICE_LINKS', 'Imprint=/imprint'],
    ['SERVICE_LINKS', 'Imprint=javascript:alert(1)'],
    ['SERVICE_LINKS', 'a\u202eb=https://gate.example/imprint'],
    ['SERVICE_LINKS', `${'x'.repeat(41)}=https://gate.example/imprint`],
    ['SERVICE_LINKS', Array(5).fill('Imprint=https://gate.example/imprint').join()],
    ['SIGN_IN_LINKS', '/sso/acme'],
    ['SIGN_IN_LINKS', '=/sso/acme'],
    ['SIGN_IN_LINKS', 'Acme='],
    ['SIGN_IN_LINKS', 'Acme=sso/acme'],
    ['SIGN_IN_LINKS', 'Acme=https://acme.example/sso'],
    ['SIGN_IN_LINKS', 'Acme=//acme.example/sso'],
    ['SIGN_IN_LINKS', 'Acme=/\\acme.example/sso'],
    ['SIGN_IN_LINKS', 'Acme=/.//acme.example/sso'],
    ['SIGN_IN_LINKS', 'Acme=/\t/acme.example/sso'],
    ['SIGN_IN_LINKS', 'Acme=javascript:alert(1)'],
    ['SIGN_IN_LINKS', 'Acme=/sso acme'],
    ['SIGN_IN_LINKS', 'Acme=/sso#acme'],
    ['SIGN_IN_LINKS', 'Acme=/sso/../acme'],
    ['SIGN_IN_LINKS', `Acme=/${'x'.repeat(500)}`],
    ['SIGN_IN_LINKS', 'a\u202eb=/sso/acme'],
    ['SIGN_IN_LINKS', `${'x'.repeat(41)}=/sso/acme`],
    ['SIGN_IN_LINKS', 'Acme|=/sso/acme'],
    ['SIGN_IN_LINKS', 'Acme|de=/sso/acme'],
    ['SIGN_IN_LINKS', 'Acme|de:=/sso/acme'],
    ['SIGN_IN_LINKS', 'Acme|de_DE:Acme=/sso/acme'],
    ['SIGN_IN_LINKS', 'Acme|__proto__:Acme=/sso/acme'],
    ['SIGN_IN_LINKS', 'Acme|de:a\u202eb=/sso/acme'],
    ['SIGN_IN_LINKS', 'Acme|de:a\nb=/sso/acme'],
    ['SIGN_IN_LINKS', `Acme|de:${'x'.repeat(41)}=/sso/acme`],
    ['SIGN_IN_LINKS', 'Acme|de:One|de:Two=/sso/acme'],
    ['SIGN_IN_LINKS', '|de:Acme=/sso/acme'],
    ['SIGN_IN_LINKS', 'Acme=/sso/acme,'],
    ['SIGN_IN_LINKS', Array(5).fill('Acme=/sso/acme').join()],
    ['CIMD_PRIVATE_HOSTS', 'localhost'],
    ['CIMD_PRIVATE_HOSTS', 'localhost:0x1'],
    ['CIMD_PRIVATE_HOSTS', 'localhost:65536'],
    ['CIMD_PRIVATE_HOSTS', 'Localhost:8443'],
    ['CIMD_PRIVATE_HOSTS', '127.1:8443'],
    ['CIMD_PRIVATE_HOSTS', '::1:8443'],
    ['CIMD_PRIVATE_HOSTS', 'https://localhost:8443'],
    ['CIMD_PRIVATE_HOSTS', 'ann@localhost:8443'],
    ['CIMD_PRIVATE_HOSTS', '*:8443'],
    ['CIMD_ALLOWED_HOSTS', 'App.example'],
    ['CIMD_ALLOWED_HOSTS', 'https://app.example'],
    ['CIMD_ALLOWED_HOSTS', 'app.example:443'],
    ['CIMD_ALLOWED_HOSTS', 'app.example.'],
    ['CIMD_ALLOWED_HOSTS', 'app.*.example'],
    ['CIMD_BLOCKED_HOSTS', '*'],
    ['CIMD_BLOCKED_HOSTS', 'evil.example,'],
    ['PRIVATE_USE_REDIRECT_SCHEMES', 'cursor:'],
    ['PRIVATE_USE_REDIRECT_SCHEMES', 'Cursor'],
    ['PRIVATE_USE_REDIRECT_SCHEMES', 'javascript'],
    ['PRIVATE_USE_REDIRECT_SCHEMES', 'http'],
    ['MIGRATE', 'false'],
    ['REGISTRATION', 'true'],
    ['MACHINE_CLIENTS', 'true'],
    ['APPROVALS', 'Passkey'],
    ['BASELINE_SCOPES', 'account:read,'],
    ['BASELINE_SCOPES', 'account:read tabs:read'],
    ['BASELINE_SCOPES', 'openid'],
    ['SIGN_UP', 'on'],
    ['EXTRA_FORM_ACTIONS', 'claude'],
    ['EXTRA_FORM_ACTIONS', 'http://app.example'],
    ['EXTRA_FORM_ACTIONS', 'https://app.example/path'],
    ['EXTRA_FORM_ACTIONS', "'unsafe-inline'"],
    ['EXTRA_FORM_ACTIONS', 'https://app.example; script-src *'],
    ['EXTRA_FORM_ACTIONS', 'javascript:'],
    ['EXTRA_FORM_ACTIONS', '*'],
    ['SCREENING_WEBHOOK_URL', 'screen.example'],
    ['SCREENING_WEBHOOK_URL', 'ftp://screen.example'],
    ['MANAGEMENT_PORT', '-1'],
    ['MANAGEMENT_HOST', 'a b'],
    ['CONSOLE', 'yes'],
    ['MANAGEMENT_ALLOWED_HOSTS', 'Replica-1'],
    ['MANAGEMENT_ALLOWED_HOSTS', '*.internal'],
    ['MANAGEMENT_ALLOWED_HOSTS', 'replica-1:9090'],
    ['ADMIN_TOKEN', 'x'.repeat(31)],
    ['ADMIN_TOKEN', 'x'.repeat(513)],
    ['ADMIN_TOKEN', `${'x'.repeat(32)} y`],
    ['ADMIN_TOKEN', `=${'x'.repeat(32)}`],
    ['LOG_LEVEL', 'loud'],
    ['SHUTDOWN_GRACE', '-1'],
  ])('refuses %s=%s', (variable, value) => {
    const problems = problemsOf({
      TRUSTED_PROXIES: 'loopback',
      MANAGEMENT_PORT: '9090',
      REDIS_URL: 'redis://cache',
      [variable]: value,
    });
    expect(problems).toEqual([expect.stringMatching(new RegExp(`^${variable} takes .+`))]);
  });

  it('reports all problems together', () => {
    const problems = problemsOf({ PORT: 'x', REDIS_URL: 'x', LOG_LEVEL: 'x' });
    expect(problems.map((problem) => problem.split(' ')[0])).toEqual([
      'PORT',
      'REDIS_URL',
      'LOG_LEVEL',
    ]);
  });

  it('holds the idle lifetime below the absolute one', () => {
    expect(problemsOf({ SESSION_IDLE_DAYS: '9', SESSION_MAX_DAYS: '8' })).toEqual([
      'SESSION_IDLE_DAYS takes at most SESSION_MAX_DAYS',
    ]);
  });

  it('refuses a token that nothing answers to', () => {
    expect(problemsOf({ ADMIN_TOKEN: 'x'.repeat(32) })).toEqual([
      'ADMIN_TOKEN takes effect with MANAGEMENT_PORT only; set that too',
    ]);
  });

  it('refuses a prefix that no name begins with', () => {
    expect(problemsOf({ REDIS_PREFIX: 'gate:' })).toEqual([
      'REDIS_PREFIX takes effect with REDIS_URL only; set that too',
    ]);
  });

  it('refuses an edge header without a trusted proxy to set it', () => {
    expect(problemsOf({ CLIENT_ADDRESS_HEADER: 'X-Real-IP' })).toHaveLength(1);
  });
});

const GOOD = { EVENTS_WEBHOOK_URL: 'https://events.example', EVENTS_WEBHOOK_SECRET: SECRET };

const read = (variables: Record<string, string>) => () => readConfig(variables);

describe('a webhook for events', () => {
  it.each([
    ['EVENTS_WEBHOOK_URL', 'http://events.example/hook'],
    ['EVENTS_WEBHOOK_URL', 'http://10.0.0.1/hook'],
    ['EVENTS_WEBHOOK_URL', 'https://gate:secret@events.example/hook'],
    ['EVENTS_WEBHOOK_URL', 'https://secret@events.example/hook'],
    ['EVENTS_WEBHOOK_URL', 'events.example'],
    ['EVENTS_WEBHOOK_URL', 'file:///etc/passwd'],
    ['EVENTS_WEBHOOK_SECRET', 'secret'],
    ['EVENTS_WEBHOOK_SECRET', `whsec_${btoa('x'.repeat(23))}`],
    ['EVENTS_WEBHOOK_SECRET', `whsec_${btoa('x'.repeat(65))}`],
    ['EVENTS_WEBHOOK_SECRET', `${SECRET}A`],
    ['EVENTS_WEBHOOK_SECRET', `${SECRET} ${SECRET}`],
    ['EVENTS_WEBHOOK_SECRET', `${SECRET},${btoa('x'.repeat(32))}`],
    ['EVENTS_WEBHOOK_SECRET', Array.from({ length: 5 }, () => SECRET).join()],
  ])('is not %s=%s', (variable, value) => {
    const problem = expect.stringMatching(new RegExp(`^${variable} takes .+`));
    expect(read({ ...GOOD, [variable]: value })).toThrow(
      expect.objectContaining({ problems: [problem] }),
    );
  });

  it.each([
    ['EVENTS_WEBHOOK_URL', 'http://127.0.0.1:9/'],
    ['EVENTS_WEBHOOK_SECRET', SECRET],
  ])('is not half of one: %s', (variable, value) => {
    expect(read({ [variable]: value })).toThrow(
      new ConfigError([
        'EVENTS_WEBHOOK_URL and EVENTS_WEBHOOK_SECRET take effect together only; set both',
      ]),
    );
  });
});

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
    expect(() => readConfig({ [variable]: value })).toThrow(
      new ConfigError([`${variable} takes ${takes}`]),
    );
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
