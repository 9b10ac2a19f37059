import { availableParallelism } from 'node:os';
import { globSync } from 'node:fs';
import { projectsLeftOut } from './test/support/services/missing-services.ts';

// Specs run on SQLite (`embedded`) and on Postgres with Redis (`postgres`). Lists name files below test/ by how
// their paths begin.

/** Run on other storages than those two, or on one of them. */
const STORAGES = {
  // Storage plays no part.
  'administration/documented.': ['embedded'],
  'administration/keys.': ['embedded'],
  'administration/process.': ['embedded'],
  'administration/token-in-logs.': ['embedded'],
  // Rows are made by SQLite.
  'account/large-export.': ['embedded'],
  'auth/body.': ['embedded'],
  'auth/claimed-length.': ['embedded'],
  'auth/credential-members.': ['embedded'],
  'auth/origin.': ['embedded'],
  'auth/passing-requests.': ['embedded'],
  'auth/public-origins.': ['embedded'],
  'auth/query.': ['embedded'],
  'auth/routing.': ['embedded'],
  'auth/verification.': ['embedded'],
  'auth/visitor.': ['embedded'],
  'clients/': ['embedded'],
  'docs/': ['embedded'],
  'extending/': ['embedded'],
  'extending/administration.': ['embedded', 'postgres'],
  'extending/instrumented.': ['postgres'],
  'mcp/bridged-page.': ['embedded'],
  'mcp/page-in-browser.': ['embedded'],
  'mcp/run-code.': ['embedded'],
  'mcp/screening': ['embedded'],
  'oauth/app-name.': ['embedded'],
  'oauth/discovery.': ['embedded'],
  // A fetch of keys is 30 seconds after the one before it, by a clock that is moved.
  'oauth/managed-documents.': ['embedded'],
  'oauth/managed-refusals.': ['embedded'],
  'oauth/resource-tokens.': ['embedded'],
  'oauth/signing-keys.': ['embedded'],
  'operation/devtools.': ['embedded'],
  'operation/doctor-issuers.': ['embedded'],
  'oauth/unset-settings.': ['embedded'],
  'operation/doctor-resources.': ['embedded'],
  'operation/metric-names.': ['embedded'],
  'operation/doctor-outside.': ['embedded'],
  'operation/doctor-process.': ['embedded'],
  'operation/failed-request.': ['embedded'],
  'operation/first-minutes.': ['embedded'],
  'operation/garbage.': ['embedded'],
  'operation/kubernetes.': ['embedded'],
  'operation/load.': ['embedded'],
  'operation/logs.': ['embedded'],
  'operation/start-failures.': ['embedded'],
  'operation/traces': ['embedded'],
  'operation/unfinished-bodies.': ['embedded'],
  'operation/unread-answers.': ['embedded'],
  'package/team.': ['embedded'],
  'tabs/bad-input.': ['embedded'],
  'tabs/limits.': ['embedded'],
  'tabs/upgrade.': ['embedded'],
  // SQLite's file is the subject.
  'faults/disk-full.': ['embedded'],
  'faults/power-loss.': ['embedded'],
  'oauth/flood.': ['embedded'],
  // Redis is the subject, whatever the database.
  'auth/flood.': ['embedded', 'redis'],
  'auth/rate-limit.': ['embedded', 'redis', 'postgres'],
  'faults/redis-': ['redis', 'postgres'],
  'faults/redis-sentinel.': ['redis'],
  'operation/doctor-services.': ['redis', 'postgres'],
  'storage/redis-': ['redis'],
  'tabs/dead-replica.': ['redis'],
  'tabs/hub.': ['embedded', 'redis', 'postgres'],
  'tabs/redis-outage.': ['redis', 'postgres'],
  'tabs/soak.': ['embedded', 'redis'],
  // Postgres, or several replicas, are the subject.
  'operation/bench.': ['postgres'],
  'operation/compose.': ['postgres'],
  'operation/database-': ['postgres'],
  'operation/read-only.': ['postgres'],
  'package/rolling-update.': ['postgres'],
  'scaling/': ['postgres'],
  'storage/pgbouncer.': ['postgres'],
  'topology/': ['postgres'],
};

/** What floods, kills or waits, and what starts many processes: for `npm run test:rest`. */
const LONG = [
  'account/large-export.',
  'administration/process.',
  'administration/token-in-logs.',
  'auth/flood.',
  'auth/fuzz.',
  'clients/conformance-server.',
  'events/killed.',
  'extending/instrumented.',
  'extending/misfits.',
  'extending/texts.',
  'faults/power-loss.',
  'mcp/bridged-page.',
  'mcp/page-in-browser.',
  'oauth/flood.',
  'oauth/fuzz.',
  'operation/doctor-process.',
  'operation/first-minutes.',
  'operation/garbage.',
  'operation/load.',
  'operation/migrate.',
  'operation/start-failures.',
  'operation/traces-process.',
  'operation/unfinished-bodies.',
  'operation/unread-answers.',
  'package/',
  'tabs/soak.',
  '../libs/code-runner/src/runner/quickjs.hostile.',
  '../libs/mcp/src/library-checks.',
  '../libs/platform/src/schemas/strange-schemas.',
];

/** What storage or concurrency decides: `npm test` runs these on Postgres and Redis too. */
const ON_SERVERS = [
  'account/last-passkey.',
  'account/recovery',
  'administration/every-replica.',
  'auth/challenges.',
  'auth/concurrency.',
  'auth/confirmations.',
  'auth/external-sign-in.',
  'auth/invites.',
  'auth/session',
  'events/delivery.',
  'extending/administration.',
  'faults/database-outage.',
  'faults/redis-outage.',
  'mcp/page-calls.',
  'mcp/requests-of-clients.',
  'mcp/run-code-budget.',
  'oauth/connected-apps.',
  'oauth/consent',
  'oauth/grant-age.',
  'oauth/refresh',
  'oauth/resources.',
  'oauth/revocation.',
  'oauth/token.',
  'storage/schema.',
  'storage/statements.',
  'tabs/calls.',
  'tabs/hub.',
  'tabs/sessions.',
];

/** Journeys that only a browser can show. */
const JOURNEYS = [
  'browser/account-walk.',
  'browser/authorization.',
  'browser/page-tools.',
  'browser/passkeys.',
];

const beginsLike = (list) => (path) => list.some((begin) => path.startsWith(begin));
/** The longest entry that fits decides. */
const storagesOf = (path) => {
  const fitting = Object.keys(STORAGES).filter((begin) => path.startsWith(begin));
  return STORAGES[fitting.toSorted((a, b) => b.length - a.length)[0]] ?? ['embedded', 'postgres'];
};

const found = (pattern) => globSync(pattern, { cwd: new URL('test/', import.meta.url) });
const endToEnd = (storage) =>
  found('**/*.e2e-spec.ts').filter((path) => storagesOf(path).includes(storage));

const isLong = beginsLike(LONG);
const SPECS = [
  {
    displayName: 'unit',
    specs: [
      ...found('{clients,containers,docs,support}/**/*.spec.ts'),
      ...found('../{apps,libs}/**/*.spec.ts'),
      ...found('../examples/team/test/*.spec.ts'),
    ],
    isDaily: (path) => !isLong(path),
  },
  ...[
    { storage: 'embedded', isDaily: (path) => !isLong(path) },
    { storage: 'postgres', isDaily: beginsLike(ON_SERVERS) },
    { storage: 'redis', isDaily: () => false },
  ].map(({ storage, isDaily }) => ({
    displayName: `e2e-${storage}`,
    globals: { STORAGE: storage },
    specs: endToEnd(storage),
    isDaily,
  })),
  {
    displayName: 'browser',
    specs: found('browser/**/*.browser-spec.ts'),
    isDaily: beginsLike(JOURNEYS),
  },
];

/** `daily` is `npm test`, `rest` is `npm run test:rest`; all of them otherwise. */
const suite = process.env['SUITE'];
const isInSuite = ({ isDaily }, path) =>
  suite === undefined || isDaily(path) === (suite === 'daily');

// What tsconfig.json says, for @swc/jest.
const SWC = {
  swcrc: false,
  sourceMaps: true,
  module: { type: 'es6' },
  jsc: {
    target: 'es2023',
    keepClassNames: true,
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true, verbatimModuleSyntax: true },
  },
};

export const base = {
  testEnvironment: '<rootDir>/test/support/jest/native-environment.mjs',
  runtime: '<rootDir>/test/support/jest/native-runtime.mjs',
  modulePathIgnorePatterns: ['<rootDir>/dist', '<rootDir>/examples/team/(dist|node_modules)'],
  moduleNameMapper: {
    '^(\\.{1,2}/.*)\\.js$': '$1',
    // As the example of a team imports the package.
    '^gatehouse$': '<rootDir>/apps/server/src/index.ts',
    '^gatehouse/testing$': '<rootDir>/test/support/index.ts',
    '^gatehouse/(.+)$': '<rootDir>/libs/$1/src/public.ts',
  },
  // Types are checked by `npm run typecheck` alone.
  transform: { '^.+\\.ts$': ['@swc/jest', SWC] },
  // Node's own modules use these, for whatever else the worker does, and specs share its globals.
  fakeTimers: { doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate', 'clearImmediate'] },
};

const leftOut = projectsLeftOut();

export default {
  projects: SPECS.filter(({ displayName }) => !leftOut.has(displayName))
    .map(({ displayName, globals = {}, specs, ...project }) => ({
      displayName,
      globals,
      testMatch: specs
        .filter((path) => isInSuite(project, path))
        .map((path) => `<rootDir>/test/${path}`.replace('/test/../', '/')),
      ...base,
    }))
    .filter(({ testMatch }) => testMatch.length > 0),
  globalSetup: '<rootDir>/test/support/services/global-setup.mjs',
  globalTeardown: '<rootDir>/test/support/services/global-teardown.mjs',
  reporters: ['default', '<rootDir>/test/support/services/closing-line-reporter.mjs'],
  // Specs wait for half of their time.
  maxWorkers: Math.ceil(availableParallelism() * 2),
  // Modules of ended specs stay in a worker's memory; a new worker begins without them.
  workerIdleMemoryLimit: '2GB',
  // On a busy machine a worker needs more than jest's 500 ms to end, or to begin again for the end.
  workerGracefulExitTimeout: 60_000,
  // The last resort: specs wait for conditions, and a busy machine is slow, not wrong.
  testTimeout: 900_000,
};
