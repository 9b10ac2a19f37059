// What the package exports as `gatehouse/ui-templates`: docs/guides/extending.md lists it. All else of this lib may change.
export type {
  Brand,
  ConsentContext,
  OpenInTabContext,
  Page,
  PageContext,
  PageTexts,
} from './index.js';
