// What the package exports as `gatehouse/account-page`: docs/guides/extending.md lists it. All else of this lib may change.
export type { AccountContext } from './account-page.js';
export { AccountPages, BuiltInAccountPages } from './account-pages.js';
export type { AccountSiteContext } from './account-texts.js';
export type { AccountTexts } from './texts/en.js';
export type { RecoverContext } from './recover-page.js';
