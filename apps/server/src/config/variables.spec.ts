import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigError, readConfig } from './config.js';
import { VARIABLES } from './environment.js';
import { exposedFiles, misspeltVariables } from './variables.js';

const TOKEN = 'correct-horse/battery+staple_0123==';

const problemsOf = (variables: Record<string, string>) => {
  try {
    readConfig({ MANAGEMENT_PORT: '9090', ...variables });
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
};

describe('variables that are given as files', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-variables-'));
  const fileWith = (content: string) => {
    const path = join(folder, 'variable');
    writeFileSync(path, content);
    return path;
  };
  afterAll(() => rmSync(folder, { recursive: true }));

  it('hold what the variable would, without space around it', () => {
    const path = fileWith(`${TOKEN}\r\n`);
    const config = readConfig({ MANAGEMENT_PORT: '9090', ADMIN_TOKEN_FILE: path });
    expect(config.management?.admin.token).toBe(TOKEN);
  });

  it('are there for every variable, lists and numbers too', () => {
    const port = readConfig({ PORT_FILE: fileWith('8080\n') }).listen.port;
    const origins = readConfig({ PUBLIC_ORIGINS_FILE: fileWith('https://a.example\n') });
    expect([port, origins.publicOrigins]).toEqual([8080, ['https://a.example']]);
  });

  it('are unset when the variable of the path is empty', () => {
    expect(readConfig({ DATABASE_URL_FILE: '' })).toEqual(readConfig({}));
  });

  it('leave variables alone that the service does not read', () => {
    expect(problemsOf({ POSTGRES_PASSWORD_FILE: '/nowhere' })).toEqual([]);
  });

  it('refuse a variable that is set both ways', () => {
    const variables = { ADMIN_TOKEN: TOKEN, ADMIN_TOKEN_FILE: fileWith(TOKEN) };
    expect(problemsOf(variables)).toEqual([
      'ADMIN_TOKEN_FILE and ADMIN_TOKEN are both set; keep one',
    ]);
  });

  it.each([
    ['is not there', () => TOKEN, 'names a file that cannot be read (ENOENT)'],
    ['is a folder', () => folder, 'does not name a file'],
    ['never ends', () => '/dev/zero', 'does not name a file'],
    ['is empty, rather than take the default', () => fileWith(' \n'), 'names a file that is empty'],
    ['is too large', () => fileWith('x'.repeat(65_537)), 'names a file of more than 65536 bytes'],
    [
      'has a NUL in its path',
      () => `${TOKEN}\0`,
      'names a file that cannot be read (ERR_INVALID_ARG_VALUE)',
    ],
  ])('are one line, and no default, where the file %s', (_what, path, line) => {
    expect(problemsOf({ DATABASE_URL_FILE: path() })).toEqual([`DATABASE_URL_FILE ${line}`]);
  });

  it('never repeat what is in the file', () => {
    expect(problemsOf({ ADMIN_TOKEN_FILE: fileWith('too-short') })).toEqual([
      expect.stringMatching(/^ADMIN_TOKEN takes 32 to 512 characters/),
    ]);
  });
});

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
    expect(misspeltVariables({ [name]: 'x' }, VARIABLES)).toEqual([
      `${name} is not read: did you mean ${meant}?`,
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
    expect(misspeltVariables(variables, VARIABLES)).toEqual([]);
  });
});

describe('files with secrets', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-secrets-'));
  const path = join(folder, 'secret');
  const told = (mode: number) => {
    writeFileSync(path, 'secret');
    chmodSync(path, mode);
    return exposedFiles({ ADMIN_TOKENS_FILE: path }, ['ADMIN_TOKENS_FILE', 'SIGNING_KEYS_FILE']);
  };

  afterAll(() => rmSync(folder, { recursive: true }));

  it.each([0o600, 0o400, 0o700, 0o711])('are not reported with mode %o', (mode) => {
    expect(told(mode)).toEqual([]);
  });

  it.each([0o640, 0o604, 0o620, 0o602, 0o644, 0o666])(
    'are reported in one line with mode %o',
    (mode) => {
      expect(told(mode)).toEqual([
        `ADMIN_TOKENS_FILE names a file that others may read or change (mode ${mode.toString(8)})`,
      ]);
    },
  );

  it.each([
    ['DATABASE_URL_FILE', 'sqlite:./x.sqlite'],
    ['REDIS_URL_FILE', 'redis://localhost'],
    ['ADMIN_TOKEN_FILE', 'x'.repeat(32)],
    ['ADMIN_TOKENS_FILE', '[]'],
    [
      'EVENTS_WEBHOOK_SECRET_FILE',
      `whsec_${'A'.repeat(32)}`,
      { EVENTS_WEBHOOK_URL: 'https://acme.example' },
    ],
  ])(
    'are told of by the configuration, which is good all the same: %s',
    (name, content, others: NodeJS.ProcessEnv = {}) => {
      writeFileSync(path, content);
      chmodSync(path, 0o644);
      expect(readConfig({ MANAGEMENT_PORT: '9090', ...others, [name]: path }).exposed).toEqual([
        `${name} names a file that others may read or change (mode 644)`,
      ]);
    },
  );
});
