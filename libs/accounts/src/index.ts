export { parseDisplayName } from './users/display-name.js';
