import { expectTexts, type TextByTag } from '#libs/ui-templates';

/** A permission that an app can be given; one list feeds metadata, consent page and checks. */
export interface Scope {
  readonly name: string;
  /** What it lets the app do, for the person who is asked: "see your name and daily credits". */
  readonly description: string;
  /** The same in other languages, by BCP 47 tag. */
  readonly texts?: TextByTag | undefined;
}

/** Throws TextsError for a text in what is no language, and for one that is none. */
export function expectScopeTexts(scopes: readonly Scope[]) {
  for (const { name, texts } of scopes) expectTexts(`texts of scope ${name}`, texts);
}

/** The words of a `scope` parameter (RFC 6749 §3.3), without repeats. */
export const scopeWords = (scope: string | undefined): string[] => [
  ...new Set((scope ?? '').split(' ').filter(Boolean)),
];
