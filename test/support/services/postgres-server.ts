export { type PostgresServer, startPostgresServer } from '#libs/platform/testing';
