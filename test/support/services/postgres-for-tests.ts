export { postgresForTests, type TestPostgres } from '#libs/platform/testing';
