export default {
  testEnvironment: 'node',
  setupFiles: ['gatehouse/testing/jest-setup'],
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  modulePathIgnorePatterns: ['<rootDir>/dist'],
  testMatch: ['<rootDir>/test/**/*.spec.ts'],
  transform: { '^.+\\.ts$': ['ts-jest', { useESM: true }] },
  // Longer than `eventually` tries, so that a test fails with its last error.
  testTimeout: 150_000,
};
