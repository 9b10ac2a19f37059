// What the package exports as `gatehouse/ui-templates`: docs/guides/extending.md lists it. All else of this lib may change.
export type { AccountContext } from './account/account-page.js';
export { AccountPages, BuiltInAccountPages } from './account/account-pages.js';
export type { AccountSiteContext } from './account/account-texts.js';
export type { RecoverContext } from './account/recover-page.js';
export type { Brand } from './layout/brand.js';
export type { Page, PageContext, SignInLink } from './layout/page.js';
export type { ConsentContext } from './pages/consent-page.js';
export type { OpenInTabContext } from './pages/open-in-tab-page.js';
export type { RefusedContext } from './pages/refused-page.js';
export type { AccountTexts } from './texts/account.en.js';
export type { PageTexts } from './texts/pages.en.js';
