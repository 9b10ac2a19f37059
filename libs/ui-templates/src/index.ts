export type { Brand } from './brand.js';
export { type ConsentContext, consentPage, type ScopeView } from './consent-page.js';
export { redirectSources } from './content-security-policy.js';
export type { AppView, Page, PageContext, RedirectView } from './page.js';
export { signInPage } from './sign-in-page.js';
