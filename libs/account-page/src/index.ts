export { accountLanguages, builtInAccountTexts } from './account-languages.js';
export type { AccountContext } from './account-page.js';
export { AccountPageModule } from './account-page.module.js';
export { AccountPages, BuiltInAccountPages } from './account-pages.js';
export type { AccountSiteContext } from './account-texts.js';
export type { RecoverContext } from './recover-page.js';
export type { AccountTexts } from './texts/en.js';
