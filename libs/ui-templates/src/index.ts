export { AccountPageModule, AccountSiteService } from './account/account-page.controller.js';
export { AccountPages, BuiltInAccountPages } from './account/account-pages.js';
export { type Brand, BrandError, checkedBrand, inlineSvg, isAccent } from './layout/brand.js';
export { contentSecurityPolicy, redirectSources } from './layout/content-security-policy.js';
export { bdi, type Fragment, Html, html } from './html.js';
export { shownText } from './shown-text.js';
export { localTimes } from './layout/local-times.js';
export {
  FIXED_HEADERS,
  page,
  type Page,
  type PageContext,
  type SignInLink,
  type SiteContext,
  table,
} from './layout/page.js';
export { Catalogue, type SomeOf } from './locale/catalogue.js';
export {
  expectTexts,
  type TextByTag,
  textFor,
  TextsError,
  wantedLocales,
  type Wishes,
} from './locale/locale.js';
export { isKept, PageClientModule } from './page-client.controller.js';
export { row } from './pages/about-app.js';
export {
  type AppPageContext,
  type AppPageMessage,
  type ConnectionView,
  appGonePage,
  appPage,
} from './pages/app-page.js';
export { type ConsentContext, consentPage } from './pages/consent-page.js';
export { bars, number, time } from './pages/figures.js';
export { type OpenInTabContext, openInTabPage } from './pages/open-in-tab-page.js';
export { type RefusedContext, refusedPage } from './pages/refused-page.js';
export {
  type RequestContext,
  requestGonePage,
  requestPage,
  type RequestView,
} from './pages/request-page.js';
export { signInPage } from './pages/sign-in-page.js';
export type { AccountTexts } from './texts/account.en.js';
export {
  accountLanguages,
  builtInAccountTexts,
  builtInPageLanguages,
  pageLanguages,
} from './texts/languages.js';
export type { PageTexts } from './texts/pages.en.js';
