export { isKept } from './kept-paths.js';
export { PageClientModule } from './page-client.module.js';
