export { stopSharedServices as default } from './shared-services.ts';
