export { advanceClock, advanceMonotonicClock, restoreClock } from '#libs/platform/testing';
