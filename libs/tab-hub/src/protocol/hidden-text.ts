import { isJsonObject } from '#libs/platform/json';

/** Scripts whose letters change their shape by joiners. */
const JOINING_SCRIPTS =
  'Arabic Syriac Mandaic Nko Adlam Mongolian Phags_Pa Hanifi_Rohingya Devanagari Bengali Gurmukhi Gujarati ' +
  'Oriya Tamil Telugu Kannada Malayalam Sinhala Myanmar Khmer Tibetan Javanese Balinese';
const scripts = JOINING_SCRIPTS.replaceAll(/(\S+) ?/g, String.raw`\p{scx=$1}`);
/** Some marks of these scripts have no width themselves. */
const JOINING = String.raw`[[[\p{L}\p{M}]--\p{Default_Ignorable_Code_Point}]&&[${scripts}]]`;
const NOT_AFTER_JOINING = `(?<!${JOINING})`;

/**
 * Characters that models read and people do not see. LRM, RLM and line breaks are none; joiners and selectors of
 * variants are none where a letter of a joining script or an emoji needs them.
 */
const HIDDEN = [
  // Controls but for tab and line breaks, halves of characters, and marks of annotations.
  String.raw`[\p{Cs}\u{FFF9}-\u{FFFB}[\p{Cc}--[\t\n\r\u{85}]]]`,
  String.raw`[\p{Default_Ignorable_Code_Point}--[\u{200C}-\u{200F}\u{61C}\u{180B}-\u{180F}\u{FE0E}\u{FE0F}]]`,
  String.raw`${NOT_AFTER_JOINING}[\u{200C}\u{61C}\u{180B}-\u{180F}]`,
  String.raw`${NOT_AFTER_JOINING}(?<!\p{ExtPict}\u{FE0F}?\p{Emoji_Modifier}?)\u{200D}`,
  String.raw`${NOT_AFTER_JOINING}\u{200D}(?!\p{ExtPict})`,
  String.raw`(?<!\p{ExtPict}|[0-9#*](?=\u{FE0F}\u{20E3}))[\u{FE0E}\u{FE0F}]`,
].join('|');
const ONE = new RegExp(HIDDEN, 'v');
const ALL = new RegExp(HIDDEN, 'gv');

/** Most texts have no such character, which a short pattern finds out sooner. */
const NOT_PLAIN = /[^\t\n\r -~]/;

export const withoutHidden = (text: string): string =>
  NOT_PLAIN.test(text) ? text.replaceAll(ALL, '') : text;

/** Keywords of JSON Schema whose texts are for readers, who are shown them without hidden characters. */
const WORDS = new Set(['title', 'description', '$comment']);
const MAPS_OF_SCHEMAS = new Set(
  'properties patternProperties $defs definitions dependencies dependentSchemas'.split(' '),
);
const SCHEMAS = new Set(
  (
    'allOf anyOf oneOf not if then else items prefixItems additionalItems unevaluatedItems contains ' +
    'additionalProperties unevaluatedProperties propertyNames contentSchema'
  ).split(' '),
);

type Place = 'schema' | 'schemas by name' | 'value';

/** The first hidden character in what a schema says to programs: names, values and unknown keywords, but no words. */
export function hiddenInSchema(part: unknown, place: Place = 'schema'): string | undefined {
  if (typeof part === 'string') return ONE.exec(part)?.[0];
  if (Array.isArray(part)) return firstOf(part, (each) => hiddenInSchema(each, place));
  if (!isJsonObject(part)) return undefined;
  return firstOf(Object.entries(part), ([name, value]) => {
    if (place === 'schema' && WORDS.has(name) && typeof value === 'string') return undefined;
    return ONE.exec(name)?.[0] ?? hiddenInSchema(value, placeBelow(name, place));
  });
}

function placeBelow(name: string, place: Place): Place {
  if (place !== 'schema') return place === 'value' ? 'value' : 'schema';
  if (MAPS_OF_SCHEMAS.has(name)) return 'schemas by name';
  return SCHEMAS.has(name) ? 'schema' : 'value';
}

function firstOf<T>(all: readonly T[], find: (one: T) => string | undefined) {
  for (const one of all) {
    const found = find(one);
    if (found !== undefined) return found;
  }
  return undefined;
}
