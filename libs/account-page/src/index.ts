export type { AccountContext } from './account-page.js';
export { AccountPageModule } from './account-page.module.js';
export { AccountPages, BuiltInAccountPages } from './account-pages.js';
export type { RecoverContext } from './recover-page.js';
