export { oncePer } from './html/once-per.js';
export { bdi, fill, type Fragment, Html, html } from './html/html.js';
export { isAccent } from './layout/accent.js';
export { type Brand, checkedBrand } from './layout/brand.js';
export { BrandError } from './layout/brand.error.js';
export { redirectSources } from './layout/content-security-policy.js';
export { inlineScript, signInScript } from './layout/inline-script.js';
export { inlineSvg } from './layout/inline-svg.js';
export {
  languageOf,
  liveRegion,
  type Page,
  page,
  type PageContext,
  type SiteContext,
} from './layout/page.js';
export { Catalogue, type CatalogueOptions, type SomeOf } from './locale/catalogue.js';
export { type Counted, counted } from './locale/counted.js';
export { expectTexts, type TextByTag, textFor } from './locale/look-up.js';
export { TextsError } from './locale/locale.js';
export { wantedLocales, type Wishes } from './locale/wanted-locales.js';
export { type ConsentContext, consentPage } from './pages/consent-page.js';
export { type OpenInTabContext, openInTabPage } from './pages/open-in-tab-page.js';
export { signInForms } from './pages/sign-in-forms.js';
export { signInPage } from './pages/sign-in-page.js';
export { builtInPageLanguages, pageLanguages } from './texts/page-languages.js';
export type { PageTexts, ScriptTexts } from './texts/en.js';
export { accountLanguages, builtInAccountTexts } from './account/account-languages.js';
export { AccountPageModule } from './account/account-page.module.js';
export { AccountPages, BuiltInAccountPages } from './account/account-pages.js';
export type { AccountTexts } from './account/texts/en.js';
export { isKept } from './page-client/kept-paths.js';
export { PageClientModule } from './page-client/page-client.module.js';
