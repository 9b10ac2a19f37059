import { dirname } from 'node:path';
import { base } from './jest.config.mjs';

const { testEnvironment: _environment, runtime: _runtime, ...shared } = base;

// Pure rules: what is believed, allowed or counted. They and their specs load neither Nest nor TypeORM, and so not the
// index of another lib, since each mutant loads them anew: a run fails that loads these. `metadata-fields` is tested
// by the spec of `client`, `frame-fields` by those of `page-tool` and `frames-from-tab`. Left out are `rate-limiter`,
// `semaphore` and `json-schema`: many of their mutants wait for ever, or each of them takes seconds to test.
const RULES = [
  'apps/server/src/outbox/retry-schedule',
  'libs/accounts/src/external-identity/external-identity',
  'libs/accounts/src/request-origin/own-origin',
  'libs/accounts/src/secret',
  'libs/accounts/src/session/session',
  'libs/accounts/src/session/session-cookie',
  'libs/accounts/src/user/display-name',
  'libs/accounts/src/visitor-limit/visitor',
  'libs/budget/src/budget',
  'libs/mcp/src/list-page',
  'libs/oauth/src/approval/approval',
  'libs/oauth/src/client-document/client-document',
  'libs/oauth/src/client-document/connectable-addresses',
  'libs/oauth/src/client/client',
  'libs/oauth/src/client/client-authentication',
  'libs/oauth/src/client/metadata-fields',
  'libs/oauth/src/client/redirect-uri',
  'libs/oauth/src/grant/permission',
  'libs/oauth/src/resource/resource',
  'libs/oauth/src/signing/signing-key',
  'libs/oauth/src/token/refresh-token',
  'libs/passkeys/src/credential/credential',
  'libs/platform/src/json',
  'libs/platform/src/limits/held-bytes',
  'libs/platform/src/limits/token-bucket',
  'libs/tab-hub/src/protocol/frame-fields',
  'libs/tab-hub/src/protocol/frames-from-tab',
  'libs/tab-hub/src/protocol/frames-to-tab',
  'libs/tab-hub/src/protocol/hidden-text',
  'libs/tab-hub/src/protocol/page-tool',
  'libs/ui-templates/src/html',
  'libs/ui-templates/src/layout/content-security-policy',
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
  // The specs take 3 seconds at most. On a busy machine jest is slow, which must not count as a mutant that never ends.
  timeoutMS: 20_000,
  reporters: ['progress', 'clear-text'],
  clearTextReporter: { reportTests: false },
  thresholds: { break: 90 },
};
