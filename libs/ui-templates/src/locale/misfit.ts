import { type Counted, isCounted } from './counted.js';

/**
 * The fault that keeps texts from replacing a template: a missing or unknown key, a text where the template has a
 * record, a missing or unknown `{placeholder}`. Undefined when they fit. A template without keys accepts any texts.
 *
 * @param isWhole whether every key is required
 */
export function misfit(texts: unknown, template: object, isWhole: boolean): string | undefined {
  return misfitAt('', texts, { template, isWhole });
}

interface Wanted {
  readonly template: unknown;
  readonly isWhole: boolean;
}

function misfitAt(
  place: string,
  texts: unknown,
  { template, isWhole }: Wanted,
): string | undefined {
  if (texts === undefined) return isWhole ? `${place} is missing` : undefined;
  if (typeof template === 'string') return misfitOfText(place, texts, template);
  if (typeof texts !== 'object' || texts === null) return `${place} has to be a record`;
  if (isCounted(template as object)) return misfitOfCounted(place, texts, template as Counted);
  const models = new Map<string, unknown>(Object.entries(template as object));
  const given = new Map<string, unknown>(Object.entries(texts));
  if (models.size === 0) return misfitOfOpen(place, given);
  const below = (key: string) => (place === '' ? key : `${place}.${key}`);
  const stranger = [...given.keys()].find((key) => !models.has(key));
  if (stranger !== undefined) return `${below(stranger)} is no text of the pages`;
  for (const [key, model] of models) {
    const fault = misfitAt(below(key), given.get(key), { template: model, isWhole });
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function misfitOfOpen(place: string, given: ReadonlyMap<string, unknown>): string | undefined {
  const other = [...given].find(([, text]) => typeof text !== 'string');
  return other && `${place}.${other[0]} has to be a text`;
}

/** The forms for "one" and "two" may spell the number out, without `{n}`. */
function misfitOfCounted(place: string, texts: object, { other }: Counted): string | undefined {
  if (!isCounted(texts)) return `${place} takes texts by plural category, "other" among them`;
  for (const [category, text] of Object.entries<unknown>(texts)) {
    const fault = strangerIn(`${place}.${category}`, text, other);
    if (fault !== undefined) return fault;
  }
  return lackingIn(`${place}.other`, texts.other, other);
}

const misfitOfText = (place: string, text: unknown, model: string) =>
  strangerIn(place, text, model) ?? lackingIn(place, String(text), model);

function strangerIn(place: string, text: unknown, model: string): string | undefined {
  if (typeof text !== 'string') return `${place} has to be a text`;
  const stranger = placeholdersOf(text).find((one) => !model.includes(one));
  return stranger && `${place} has ${stranger}, which nothing is filled in for`;
}

function lackingIn(place: string, text: string, model: string): string | undefined {
  const lacking = placeholdersOf(model).find((one) => !text.includes(one));
  return lacking && `${place} lacks ${lacking}`;
}

const placeholdersOf = (text: string): readonly string[] => text.match(/\{\w+\}/g) ?? [];
