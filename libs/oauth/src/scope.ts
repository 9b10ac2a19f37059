import { expectTexts, type TextByTag } from '#libs/ui-templates/locale';

/** A permission that a user can grant to an app; one list serves metadata, consent page and checks. */
export interface Scope {
  readonly name: string;
  /** What it lets the app do, as the consent page shows it: "see your name and daily credits". */
  readonly description: string;
  readonly texts?: TextByTag | undefined;
  /** Whether it lets the app change or spend something, so that a person may want to be asked each time. */
  readonly writes?: boolean | undefined;
  /** Whether the 401 of `/svc/mcp` asks for it, so that clients begin with it. */
  readonly baseline?: boolean | undefined;
}

/** Throws TextsError for a tag that is no language, and for a value that is no text. */
export function expectScopeTexts(scopes: readonly Scope[]) {
  for (const { name, texts } of scopes) expectTexts(`texts of scope ${name}`, texts);
}

/** Clients also join the scopes of a request with line breaks and commas, which no name of a scope has. */
export const BETWEEN_SCOPES = /[\s,]+/;

/** The words of a `scope` parameter (RFC 6749 §3.3), without repeats. */
export const scopeWords = (scope: string | undefined, between: string | RegExp = ' '): string[] => [
  ...new Set((scope ?? '').split(between).filter(Boolean)),
];

export const scopeNames = (scopes: readonly Scope[]) => scopes.map(({ name }) => name);
