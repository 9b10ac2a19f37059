// What the package exports as `gatehouse/account-page`: docs/guides/extending.md lists it. All else of this lib may change.
export {
  type AccountContext,
  AccountPages,
  type AccountSiteContext,
  type AccountTexts,
  BuiltInAccountPages,
  type RecoverContext,
} from './index.js';
