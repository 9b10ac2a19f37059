import type { UriVariables } from './mcp-resource.js';

/** Longer uris of read requests match no template. */
const MAX_URI_LENGTH = 2_048;
const VARIABLE = /^[A-Za-z][A-Za-z0-9_]{0,31}$/;
/** Characters that the value of a variable contains only percent-encoded. */
const DELIMITERS = '/?#';

export interface UriTemplate {
  readonly variables: readonly string[];
  /** Equal for two templates that differ only in the names of their variables. */
  readonly shape: string;
  /** The decoded variables of a uri that matches the template; undefined for any other uri. */
  readonly match: (uri: string) => UriVariables | undefined;
}

/**
 * Parses a uri, or a template of RFC 6570 with simple expansion only (§3.2.2). A value ends at the first
 * character of the text that follows it, so that a uri matches in only one way and without backtracking.
 * @throws Error that says what is wrong with the template
 */
export function parseUriTemplate(template: string): UriTemplate {
  // Texts at even indices, names of variables at odd ones.
  const parts = template.split(/\{([^{}]*)\}/);
  const texts = parts.filter((_part, at) => at % 2 === 0);
  const variables = parts.filter((_part, at) => at % 2 === 1);
  const misnamed = variables.find((name) => !VARIABLE.test(name));
  if (misnamed !== undefined) throw new Error(`{${misnamed}} is no variable`);
  if (new Set(variables).size < variables.length) throw new Error('a variable is there twice');
  if (texts.slice(1, -1).includes('')) throw new Error('a variable follows right after another');
  if (!URL.canParse(texts.join('x'))) throw new Error('it is no URI');
  const pattern = new RegExp(`^${parts.map((part, at) => patternOf(part, at, parts)).join('')}$`);
  return {
    variables,
    shape: texts.join('{}'),
    match: (uri) => {
      const found = uri.length <= MAX_URI_LENGTH ? pattern.exec(uri) : null;
      return found ? decoded(variables, found.slice(1)) : undefined;
    },
  };
}

function patternOf(part: string, at: number, parts: readonly string[]): string {
  if (at % 2 === 0) return escaped(part);
  const [next = ''] = parts[at + 1] ?? '';
  return `([^${escaped(DELIMITERS + next)}]+)`;
}

const escaped = (text: string) => text.replaceAll(/\W/g, String.raw`\$&`);

function decoded(names: readonly string[], values: readonly string[]): UriVariables | undefined {
  try {
    return Object.fromEntries(
      names.map((name, at) => [name, decodeURIComponent(values[at] ?? '')]),
    );
  } catch {
    return undefined;
  }
}
