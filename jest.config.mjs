import { availableParallelism } from 'node:os';
import { projectsLeftOut } from './test/support/services/missing-services.ts';

const base = {
  testEnvironment: 'node',
  // `source` makes #libs/* mean the sources, never a stale build.
  testEnvironmentOptions: { customExportConditions: ['source', 'node', 'node-addons'] },
  modulePathIgnorePatterns: ['<rootDir>/dist', '<rootDir>/examples/team/(dist|node_modules)'],
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: {
    '^(\\.{1,2}/.*)\\.js$': '$1',
    // As the example of a team imports the package.
    '^gatehouse$': '<rootDir>/apps/server/src/index.ts',
    '^gatehouse/testing$': '<rootDir>/test/support/index.ts',
    '^gatehouse/(.+)$': '<rootDir>/libs/$1/src/index.ts',
  },
  setupFiles: ['<rootDir>/test/support/load-nest.mjs'],
  // Compiles file by file (`isolatedModules`): types are checked by `npm run typecheck` alone.
  transform: { '^.+\\.ts$': ['ts-jest', { useESM: true }] },
};

const withServices = {
  globalSetup: '<rootDir>/test/support/services/global-setup.mjs',
  globalTeardown: '<rootDir>/test/support/services/global-teardown.mjs',
};

// What takes long because it floods, waits or breaks things, by the storage that it is about: how the
// paths below test/ begin.
const LONG = {
  embedded: [
    'auth/flood.',
    'auth/fuzz.',
    'events/killed.',
    'oauth/fuzz.',
    'oauth/flood.',
    'package/team.',
    'tabs/soak.',
    'faults/power-loss.',
    'operation/unfinished-bodies.',
  ],
  redis: ['auth/flood.', 'faults/redis-sentinel.', 'tabs/soak.', 'tabs/dead-replica.'],
  postgres: [
    'auth/fuzz.',
    'events/killed.',
    'oauth/fuzz.',
    'operation/bench.',
    'package/rolling-update.',
    'scaling/clocks.',
    'storage/pgbouncer.',
    'topology/',
  ],
  browser: ['browser/process.'],
};

// Specs with nothing to say on other storages than these.
const ABOUT = {
  'administration/process.': ['embedded'],
  'administration/token-in-logs.': ['embedded'],
  'faults/disk-full.': ['embedded'],
  'faults/redis-': ['redis', 'postgres'],
  'operation/doctor-process.': ['embedded'],
  'operation/first-minutes.': ['embedded'],
  'operation/doctor-services.': ['redis', 'postgres'],
  'operation/read-only.': ['postgres'],
  'operation/traces-process.': ['embedded'],
  'scaling/two-processes.': ['postgres'],
  'storage/documented-sql.': ['embedded', 'postgres'],
  'storage/redis-acl.': ['redis'],
  'storage/redis-prefix.': ['redis'],
  'tabs/redis-outage.': ['redis', 'postgres'],
};

// Where storage plays no part: every day on SQLite alone, and on the others with the rest.
const STORAGE_FREE = [
  'administration/documented.',
  'auth/body.',
  'auth/claimed-length.',
  'auth/credential-members.',
  'auth/origin.',
  'auth/passing-requests.',
  'auth/public-origins.',
  'auth/query.',
  'auth/routing.',
  'auth/verification.',
  'auth/visitor.',
  'clients/',
  'extending/',
  'mcp/run-code.',
  'mcp/screening',
  'oauth/app-name.',
  'oauth/discovery.',
  'operation/alerts.',
  'operation/dashboard.',
  'operation/devtools.',
  'operation/doctor-outside.',
  'operation/failed-request.',
  'operation/garbage.',
  'operation/kubernetes.',
  'operation/load.',
  'operation/logs.',
  'operation/traces-sampling.',
  'tabs/bad-input.',
  'tabs/limits.',
  'tabs/upgrade.',
];

const at = (path) => `<rootDir>/test/${path}`;
const longAt = (room) => LONG[room].map((path) => at(`${path}*-spec.ts`));
const without = (paths) => ({
  testPathIgnorePatterns: [
    '/node_modules/',
    ...paths.map((path) => at(path.replaceAll('.', '\\.'))),
  ],
});

const endToEnd = (STORAGE) => ({
  ...base,
  ...(STORAGE === 'embedded' ? {} : withServices),
  globals: { STORAGE },
});

const short = (STORAGE, leftOut = []) => ({
  ...endToEnd(STORAGE),
  displayName: `e2e-${STORAGE}`,
  testMatch: [at('**/*.e2e-spec.ts')],
  ...without([
    ...Object.values(LONG).flat(),
    ...Object.keys(ABOUT).filter((path) => !ABOUT[path].includes(STORAGE)),
    ...leftOut,
  ]),
});

const long = (STORAGE) => ({
  ...endToEnd(STORAGE),
  displayName: `long-${STORAGE}`,
  testMatch: longAt(STORAGE),
});

const isDaily = process.env['SUITE'] === 'daily';

// `npm test` runs these, `npm run test:all` and `.ci/run` the others too, and nothing is run twice.
const daily = [
  {
    ...base,
    ...withServices,
    displayName: 'unit',
    testMatch: [
      '<rootDir>/{apps,libs,test/clients,test/containers,test/docs,test/support}/**/*.spec.ts',
      '<rootDir>/examples/team/test/*.spec.ts',
    ],
  },
  short('embedded'),
  short('postgres', isDaily ? STORAGE_FREE : []),
  {
    ...base,
    displayName: 'browser',
    testMatch: [at('browser/**/*.browser-spec.ts')],
    ...without(LONG.browser),
  },
];
const others = [
  short('redis'),
  long('embedded'),
  long('redis'),
  long('postgres'),
  { ...base, displayName: 'long-browser', testMatch: longAt('browser') },
];

const leftOut = projectsLeftOut();

export default {
  projects: (isDaily ? daily : [...daily, ...others]).filter(
    ({ displayName }) => !leftOut.has(displayName),
  ),
  reporters: ['default', '<rootDir>/test/support/services/closing-line-reporter.mjs'],
  // Specs wait for a third of their time. A number: jest takes a percentage over 100 for a count of workers.
  maxWorkers: Math.ceil(availableParallelism() * 1.25),
  // Modules of ended specs stay in a worker's memory; a new worker begins without them.
  workerIdleMemoryLimit: '2GB',
  // The last resort: specs wait for conditions, and a busy machine is slow, not wrong.
  testTimeout: process.env['MUTANT'] === '1' ? 60_000 : 300_000,
};
