export type { Brand } from './layout/brand.js';
export { redirectSources } from './layout/content-security-policy.js';
export type { AppView, Page, PageContext, RedirectView } from './layout/page.js';
export { type ConsentContext, consentPage, type ScopeView } from './pages/consent-page.js';
export { type OpenInTabContext, openInTabPage } from './pages/open-in-tab-page.js';
export { signInPage } from './pages/sign-in-page.js';
