import { plainToInstance } from 'class-transformer';
import { validateSync, type ValidationError } from 'class-validator';
import { isJsonObject, isNestedDeeper, parseJson } from '#libs/platform';
import { readShortFile } from './variables.js';

/** What reads the entries recurses per level, and would overflow the stack. */
const MAX_LEVELS = 32;

type Found<Entry> =
  | { readonly entries: readonly Entry[]; readonly faults?: never }
  | { readonly entries?: never; readonly faults: readonly string[] };

/** The entries of a file with a JSON list, or a line for each fault, which repeats nothing of the file. */
export function readEntries<Entry extends object>(
  variable: string,
  path: string,
  type: new () => Entry,
  { least = 0, most = Infinity } = {},
): Found<Entry> {
  const fault = (what: string) => ({ faults: [`${variable} names a file ${what}`] });
  const file = readShortFile(path);
  if (file.fault !== undefined) return { faults: [`${variable} ${file.fault}`] };
  const listed = parseJson(file.content);
  if (isNestedDeeper(listed, MAX_LEVELS))
    return fault(`that is nested more than ${MAX_LEVELS} levels deep`);
  if (!Array.isArray(listed)) return fault('that is not a JSON list');
  if (listed.length < least) return fault('whose list is empty');
  if (listed.length > most) return fault(`with more than ${most} entries`);
  const faults = listed.flatMap((entry: unknown, at) => {
    const wrong = entryFault(type, entry);
    return wrong === undefined ? [] : [inEntry(variable, at, wrong)];
  });
  return faults.length > 0 ? { faults } : { entries: plainToInstance(type, listed) };
}

export const inEntry = (variable: string, at: number, what: string) =>
  `${variable} names a file in whose entry ${at + 1} ${what}`;

/** A line for each of these members that has one value twice, in two entries or in a list. */
export const repetitions = <Entry>(
  variable: string,
  entries: readonly Entry[],
  ...members: readonly (keyof Entry & string)[]
): string[] =>
  members.flatMap((member) => {
    const values = entries.flatMap((entry) => entry[member]);
    return new Set(values).size < values.length ? [`${variable} has one ${member} twice`] : [];
  });

/** What is wrong with an entry, as the end of a sentence that repeats nothing of it; undefined for a valid one. */
export function entryFault(type: new () => object, entry: unknown): string | undefined {
  if (!isJsonObject(entry)) return 'there is no object';
  const options = { whitelist: true, forbidNonWhitelisted: true };
  const [error] = validateSync(plainToInstance(type, entry), options);
  return error && describe(error);
}

/** The outermost fault, with the path of the member that has it. */
function describe({ property, constraints, children: [child] = [] }: ValidationError): string {
  const place = /^\d+$/.test(property) ? `entry ${Number(property) + 1}` : property;
  if (child && !constraints) return `${place}: ${describe(child)}`;
  if (constraints?.['whitelistValidation'] !== undefined)
    return 'there is a member that does not exist; remove it';
  return `${place} takes ${Object.values(constraints ?? {})[0]}`;
}
