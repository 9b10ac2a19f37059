export { type RedisServer, startRedisServer } from '#libs/platform/testing';
