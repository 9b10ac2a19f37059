import { isCounted } from './counted.js';

/** Texts, and records of texts. */
type Node = string | { readonly [key: string]: Node };

/**
 * What keeps texts from standing in for others: a key that is missing or unknown, a text where there is a
 * record, a `{placeholder}` that is missing or unknown. Undefined when they fit.
 *
 * @param isWhole whether each key has to be there
 */
export function misfit(
  texts: unknown,
  template: object,
  isWhole: boolean,
  path = '',
): string | undefined {
  if (typeof texts !== 'object' || texts === null) return `${path || 'it'} has to be a record`;
  if (isCounted(template)) return misfitOfCounted(texts, template, path);
  const known = new Map(Object.entries(template as Record<string, Node>));
  const given = new Map(Object.entries(texts).filter(([, value]) => value !== undefined));
  for (const key of given.keys()) {
    if (!known.has(key)) return `${path}${key} is no text of the pages`;
  }
  for (const [key, model] of known) {
    const value = given.get(key);
    const place = path + key;
    if (value === undefined && !isWhole) continue;
    if (value === undefined) return `${place} is missing`;
    const fault =
      typeof model === 'string'
        ? misfitOfText(value, model, place)
        : misfit(value, model, isWhole, `${place}.`);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function misfitOfCounted(texts: object, { other }: { readonly other: string }, path: string) {
  const place = path.slice(0, -1);
  if (!isCounted(texts)) return `${place} takes texts by plural category, "other" among them`;
  // "one" and "two" may say it in words.
  const strangers = Object.entries(texts).find(
    ([, text]) =>
      typeof text !== 'string' || [...placeholdersOf(text)].some((name) => !has(other, name)),
  );
  if (strangers) return `${path}${strangers[0]} is no text, or has a placeholder too many`;
  return misfitOfText(texts.other, other, `${path}other`);
}

function misfitOfText(text: unknown, model: string, place: string): string | undefined {
  if (typeof text !== 'string') return `${place} has to be a text`;
  for (const name of placeholdersOf(model)) {
    if (!has(text, name)) return `${place} lacks {${name}}`;
  }
  for (const name of placeholdersOf(text)) {
    if (!has(model, name)) return `${place} has {${name}}, which nothing is filled in for`;
  }
  return undefined;
}

const placeholdersOf = (text: string) => new Set(text.match(/(?<=\{)\w+(?=\})/g));
const has = (text: string, name: string) => text.includes(`{${name}}`);
