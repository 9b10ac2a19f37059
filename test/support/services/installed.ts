export {
  findChromium,
  findNginx,
  findPgBouncer,
  findProgram,
  findRedisServer,
} from '#libs/platform/testing';
