export { collectGarbage, liveHeapBytes } from '#libs/platform/testing';
