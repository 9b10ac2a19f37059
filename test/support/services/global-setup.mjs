export { startSharedServices as default } from './shared-services.ts';
