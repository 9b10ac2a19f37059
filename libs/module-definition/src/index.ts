export { defineModule } from './module-definition.builder.js';
