export { bdi, fill, type Fragment, Html, html } from './html/html.js';
export type { Brand } from './layout/brand.js';
export { redirectSources } from './layout/content-security-policy.js';
export { inlineScript, signInScript } from './layout/inline-script.js';
export {
  type AppView,
  liveRegion,
  type Page,
  page,
  type PageContext,
  type RedirectView,
  type SiteContext,
} from './layout/page.js';
export { type ConsentContext, consentPage, type ScopeView } from './pages/consent-page.js';
export { type OpenInTabContext, openInTabPage } from './pages/open-in-tab-page.js';
export { signInForms } from './pages/sign-in-forms.js';
export { signInPage } from './pages/sign-in-page.js';
export { type ScriptTexts, texts } from './texts.js';
