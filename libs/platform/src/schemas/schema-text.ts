import { type Schema, memberOf } from './misfit.ts';
import { shortJson } from './short-text.ts';

const NOUNS: Readonly<Record<string, string>> = {
  string: 'a string',
  integer: 'an integer',
  number: 'a number',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  null: 'null',
};

const MAX_OPTIONS = 12;

/** What a schema takes, in a few words: `a string of 1 to 128 characters`. */
export const schemaText = (schema: Schema): string => textOf(schema, 1);

function textOf(schema: unknown, depth: number): string {
  if (schema === false) return 'nothing';
  const options = memberOf(schema, 'enum');
  if (Array.isArray(options)) return `one of ${optionsText(options)}`;
  if (Object.hasOwn(Object(schema), 'const')) return shortJson(memberOf(schema, 'const'));
  const alternatives = memberOf(schema, 'anyOf') ?? memberOf(schema, 'oneOf');
  if (Array.isArray(alternatives) && depth > 0) {
    const texts = alternatives.slice(0, MAX_OPTIONS / 2).map((each) => textOf(each, depth - 1));
    return [...new Set(texts)].join(', or ');
  }
  const types = [memberOf(schema, 'type') ?? []].flat().map(String);
  const nouns = types.map((type) => NOUNS[type] ?? 'something').join(' or ');
  return `${nouns || 'something else'}${detailText(schema)}`;
}

function optionsText(options: readonly unknown[]) {
  const shown = options.slice(0, MAX_OPTIONS).map((option) => shortJson(option));
  return `${shown.join(', ')}${options.length > MAX_OPTIONS ? ' …' : ''}`;
}

function detailText(schema: unknown): string {
  const bounds = (least: string, most: string) =>
    rangeText(memberOf(schema, least), memberOf(schema, most));
  const [length, items, members] = [
    bounds('minLength', 'maxLength'),
    bounds('minItems', 'maxItems'),
    bounds('minProperties', 'maxProperties'),
  ];
  const [format, pattern] = [memberOf(schema, 'format'), memberOf(schema, 'pattern')];
  const [above, below] = [
    memberOf(schema, 'exclusiveMinimum'),
    memberOf(schema, 'exclusiveMaximum'),
  ];
  return [
    length && ` of ${length} characters`,
    items && ` of ${items} elements`,
    memberOf(schema, 'uniqueItems') === true && ', each once',
    members && ` of ${members} properties`,
    bounds('minimum', 'maximum') && ` ${fromText(bounds('minimum', 'maximum'))}`,
    typeof above === 'number' && ` above ${above}`,
    typeof below === 'number' && ` below ${below}`,
    typeof memberOf(schema, 'multipleOf') === 'number' &&
      `, a multiple of ${String(memberOf(schema, 'multipleOf'))}`,
    typeof format === 'string' && ` in the format ${shortJson(format)}`,
    typeof pattern === 'string' && ` that matches the pattern ${shortJson(pattern)}`,
  ]
    .filter((part) => typeof part === 'string')
    .join('');
}

/** `1 to 5`, `at least 1`, `at most 5`; empty where there are no bounds. */
function rangeText(least: unknown, most: unknown): string {
  const [from, to] = [typeof least === 'number', typeof most === 'number'];
  if (from && to) return `${least} to ${most}`;
  if (from) return `at least ${least}`;
  return to ? `at most ${most}` : '';
}

const fromText = (range: string) => (range.startsWith('at ') ? `of ${range}` : `from ${range}`);
