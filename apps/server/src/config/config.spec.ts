import { ConfigError, readConfig } from './config.js';

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
      listen: { port: 3000, host: '127.0.0.1' },
      database: { type: 'sqlite', path: `${process.cwd()}/data/gatehouse.sqlite` },
      redisUrl: undefined,
      publicOrigins: undefined,
      trustedProxies: [],
      clientAddressHeader: undefined,
      rateLimit: { max: 300, periodMs: 60_000 },
      sessionLifetimes: { idleMs: 604_800_000, maxMs: 2_592_000_000 },
      budgetDailyLimit: 1000,
      serviceName: 'Gatehouse',
      logLevel: 'info',
      shutdownGraceMs: 10_000,
    });
  });

  it('takes an empty variable as unset', () => {
    expect(readConfig({ PORT: '', REDIS_URL: '', PUBLIC_ORIGINS: '' })).toEqual(readConfig({}));
  });

  it('reads every variable', () => {
    const config = readConfig({
      PORT: '0',
      HOST: '::',
      DATABASE_URL: 'postgres://gate:secret@db/gate',
      REDIS_URL: 'redis://cache:6379/2',
      PUBLIC_ORIGINS: 'https://gate.example, http://localhost:3000',
      TRUSTED_PROXIES: 'loopback, 10.0.0.0/8, 2001:db8::/32',
      CLIENT_ADDRESS_HEADER: 'CF-Connecting-IP',
      RATE_LIMIT_MAX: '5',
      RATE_LIMIT_PERIOD: '7',
      SESSION_IDLE_DAYS: '1',
      SESSION_MAX_DAYS: '2',
      BUDGET_DAILY_LIMIT: '0',
      SERVICE_NAME: 'Gate \u2116 7',
      LOG_LEVEL: 'debug',
      SHUTDOWN_GRACE: '0',
    });
    expect(config).toEqual({
      listen: { port: 0, host: '::' },
      database: { type: 'postgres', url: 'postgres://gate:secret@db/gate' },
      redisUrl: 'redis://cache:6379/2',
      publicOrigins: ['https://gate.example', 'http://localhost:3000'],
      trustedProxies: ['loopback', '10.0.0.0/8', '2001:db8::/32'],
      clientAddressHeader: 'CF-Connecting-IP',
      rateLimit: { max: 5, periodMs: 7000 },
      sessionLifetimes: { idleMs: 86_400_000, maxMs: 172_800_000 },
      budgetDailyLimit: 0,
      serviceName: 'Gate \u2116 7',
      logLevel: 'debug',
      shutdownGraceMs: 0,
    });
  });

  it.each([
    ['PORT', '65536'],
    ['PORT', 'http'],
    ['PORT', '3000.5'],
    ['HOST', 'a b'],
    ['DATABASE_URL', 'mysql://db/gate'],
    ['DATABASE_URL', 'sqlite::memory:'],
    ['DATABASE_URL', 'sqlite:'],
    ['REDIS_URL', 'localhost:6379'],
    ['PUBLIC_ORIGINS', 'gate.example'],
    ['PUBLIC_ORIGINS', 'https://gate.example/'],
    ['PUBLIC_ORIGINS', 'https://Gate.example'],
    ['PUBLIC_ORIGINS', 'https://gate.example:443'],
    ['PUBLIC_ORIGINS', 'http://gate.example'],
    ['PUBLIC_ORIGINS', 'https://gate.example,'],
    ['TRUSTED_PROXIES', '1'],
    ['TRUSTED_PROXIES', 'true'],
    ['TRUSTED_PROXIES', '10.0.0.0/33'],
    ['TRUSTED_PROXIES', '10.0.0.0/8/8'],
    ['TRUSTED_PROXIES', '0x0a.0.0.1'],
    ['CLIENT_ADDRESS_HEADER', 'X Real IP'],
    ['RATE_LIMIT_MAX', '0'],
    ['RATE_LIMIT_PERIOD', '1m'],
    ['SESSION_IDLE_DAYS', '0'],
    ['SESSION_MAX_DAYS', '366'],
    ['BUDGET_DAILY_LIMIT', '-1'],
    ['SERVICE_NAME', 'a\u202eb'],
    ['SERVICE_NAME', ' a'],
    ['LOG_LEVEL', 'loud'],
    ['SHUTDOWN_GRACE', '-1'],
  ])('refuses %s=%s', (variable, value) => {
    const problems = problemsOf({ TRUSTED_PROXIES: 'loopback', [variable]: value });
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

  it('refuses an edge header that nobody is trusted to set', () => {
    expect(problemsOf({ CLIENT_ADDRESS_HEADER: 'X-Real-IP' })).toHaveLength(1);
  });
});
