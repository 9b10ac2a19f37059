export { defineModule, type ModuleExtras } from './module-definition.builder.js';
