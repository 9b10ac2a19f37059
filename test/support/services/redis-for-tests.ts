export { redisForTests, type TestRedis } from '#libs/platform/testing';
