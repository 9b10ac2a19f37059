export {
  dyingWithParent,
  findFreePort,
  onFreePort,
  type Program,
  startProgram,
} from '#libs/platform/testing';
