import { dirname } from 'node:path';
import { base } from './jest.config.mjs';

const { testEnvironment: _environment, runtime: _runtime, ...shared } = base;

// Pure rules: what is believed, allowed or counted. They and their specs load neither Nest nor TypeORM, and so not the
// index of another lib, since each mutant loads them anew: a run fails that loads these. `metadata-fields` is tested
// by the spec of `client`, `frame-fields` by those of `page-tool` and `frames-from-tab`.
const RULES = [
  'apps/server/src/outbox/retry-schedule',
  'libs/accounts/src/request-origin/own-origin',
  'libs/accounts/src/secret',
  'libs/accounts/src/session/session-cookie',
  'libs/accounts/src/user/display-name',
  'libs/accounts/src/visitor-limit/visitor',
  'libs/budget/src/budget',
  'libs/mcp/src/list-page',
  'libs/oauth/src/client/client',
  'libs/oauth/src/client/client-authentication',
  'libs/oauth/src/client/metadata-fields',
  'libs/oauth/src/client/redirect-uri',
  'libs/oauth/src/token/refresh-token',
  'libs/tab-hub/src/protocol/frame-fields',
  'libs/tab-hub/src/protocol/page-tool',
  'libs/tab-hub/src/protocol/frames-from-tab',
  'libs/tab-hub/src/protocol/frames-to-tab',
];

export default {
  testRunner: 'jest',
  testRunnerNodeArgs: ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'],
  mutate: RULES.map((path) => `${path}.ts`),
  jest: {
    // Without a setting for jest: all of them are below.
    configFile: 'package.json',
    // Jest's own runtime: constants of modules are mutated too, so each run has to load them anew.
    config: {
      ...shared,
      moduleNameMapper: {
        ...shared.moduleNameMapper,
        '^(@nestjs/.*|typeorm)$': '<rootDir>/rules-load-no-framework',
      },
      testEnvironmentOptions: { customExportConditions: ['source', 'node', 'node-addons'] },
      extensionsToTreatAsEsm: ['.ts'],
      setupFiles: ['<rootDir>/test/support/jest/jest-object.mjs'],
      watchman: false,
      roots: [...new Set(RULES.map((path) => `<rootDir>/${dirname(path)}`))],
      testMatch: RULES.map((path) => `<rootDir>/${path}.spec.ts`),
    },
  },
  coverageAnalysis: 'perTest',
  ignorePatterns: ['bench', 'dist', 'docs', 'ops'],
  tempDirName: 'dist/mutants',
  concurrency: 2,
  // On a busy machine jest is slow, which must not count as a mutant that never ends.
  timeoutMS: 60_000,
  reporters: ['progress', 'clear-text'],
  clearTextReporter: { reportTests: false },
  thresholds: { break: 90 },
};
