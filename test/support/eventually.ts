export { eventually, PATIENCE_MS } from '#libs/platform/testing';
