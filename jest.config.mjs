import { projectsLeftOut } from './test/support/services/missing-services.ts';

const base = {
  testEnvironment: 'node',
  // `source` makes #libs/* mean the sources, never a stale build.
  testEnvironmentOptions: { customExportConditions: ['source', 'node', 'node-addons'] },
  modulePathIgnorePatterns: ['<rootDir>/dist'],
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  setupFiles: ['<rootDir>/test/support/load-nest.mjs'],
  transform: { '^.+\\.ts$': ['ts-jest', { useESM: true }] },
};

const withServices = {
  globalSetup: '<rootDir>/test/support/services/global-setup.mjs',
  globalTeardown: '<rootDir>/test/support/services/global-teardown.mjs',
};

// What needs a load balancer is about the storage that replicas share.
const leftTo = (STORAGE) => (STORAGE === 'postgres' ? [] : ['<rootDir>/test/topology/']);

const endToEnd = (STORAGE) => ({
  ...base,
  displayName: `e2e-${STORAGE}`,
  testMatch: ['<rootDir>/test/**/*.e2e-spec.ts'],
  testPathIgnorePatterns: ['/node_modules/', '<rootDir>/test/browser/', ...leftTo(STORAGE)],
  globals: { STORAGE },
});

const projects = [
  {
    ...base,
    ...withServices,
    displayName: 'unit',
    testMatch: ['<rootDir>/{apps,libs,test/containers,test/docs,test/support}/**/*.spec.ts'],
  },
  endToEnd('embedded'),
  { ...endToEnd('redis'), ...withServices },
  { ...endToEnd('postgres'), ...withServices },
  {
    ...base,
    displayName: 'browser',
    testMatch: ['<rootDir>/test/browser/**/*.browser-spec.ts'],
  },
];

const leftOut = projectsLeftOut();

export default {
  projects: projects.filter(({ displayName }) => !leftOut.has(displayName)),
  reporters: ['default', '<rootDir>/test/support/services/closing-line-reporter.mjs'],
  maxWorkers: '100%',
  // Modules of ended specs stay in a worker's memory; a new worker begins without them.
  workerIdleMemoryLimit: '2GB',
  testTimeout: 60_000,
};
