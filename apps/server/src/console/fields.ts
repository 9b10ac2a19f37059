import type { Type } from '@nestjs/common';
import { isJsonObject, isNestedDeeper, parseJson } from '#libs/platform';
import { MAX_LEVELS } from '../admin/http/described-input.interceptor.js';
import { type MemberOption, optionsOf } from '../admin/operation/input.js';

/** A member of an operation's input, as a form asks for it. */
export interface Field {
  readonly member: string;
  readonly hint: string;
  readonly kind: 'text' | 'lines' | 'choice';
  /** Of a choice: what is sent, and what people read. */
  readonly choices: readonly (readonly [sent: string, shown: string])[];
  /** The member for what was entered. */
  readonly read: (text: string) => unknown;
}

/** The command line reads a file for it: a form takes its content. */
const DOCUMENTS = new Map([['jwks', 'a JSON document with its public keys']]);

/** The list turns pages by its own links. */
const OF_PAGES = new Set(['limit', 'after']);

export function fieldsOf(input: Type | undefined): readonly Field[] {
  const members = Map.groupBy(optionsOf(input), ({ member }) => member);
  return [...members].flatMap(([member, options]) =>
    OF_PAGES.has(member) ? [] : fieldOf(member, options),
  );
}

function fieldOf(member: string, [first, ...others]: readonly MemberOption[]): Field[] {
  if (!first) return [];
  const { description: hint, choices, parse, parseAll, flags } = first;
  const field = { member, hint, choices: [] };
  const document = DOCUMENTS.get(member);
  if (document !== undefined) {
    const read = (text: string) => {
      const json = parseJson(text);
      return isJsonObject(json) && !isNestedDeeper(json, MAX_LEVELS) ? json : text;
    };
    return [{ ...field, hint: document, kind: 'lines', read }];
  }
  const switches = [first, ...others].filter(({ value }) => value !== undefined);
  if (switches.length > 0) {
    const read = (text: string) => switches.find(({ value }) => String(value) === text)?.value;
    const shown = switches.map(({ value, description }) => [String(value), description] as const);
    return [{ ...field, hint: '', kind: 'choice', choices: shown, read }];
  }
  if (choices) {
    const shown = choices.map((choice) => [choice, choice] as const);
    return [{ ...field, kind: 'choice', choices: shown, read: (text) => text }];
  }
  if (!flags.includes('...')) return [{ ...field, kind: 'text', read: parse ?? ((text) => text) }];
  const linesOf = (text: string) =>
    text
      .split(/\r?\n/)
      .map((line) => line.trim())
      .filter(Boolean);
  const read = (text: string) => (parseAll ?? ((lines) => lines))(linesOf(text));
  return [{ ...field, hint: `${hint}, one a line`, kind: 'lines', read }];
}

/** The members that were entered; what is empty counts as left out. */
export const membersOf = (fields: readonly Field[], entered: URLSearchParams): object =>
  Object.fromEntries(
    fields.flatMap(({ member, read }) => {
      const text = entered.get(member) ?? '';
      return text === '' ? [] : [[member, read(text)]];
    }),
  );
