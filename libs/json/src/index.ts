export { isNestedDeeper } from './nesting.js';
