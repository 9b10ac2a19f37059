import { StreamableFile } from '@nestjs/common';
import type { ListPage } from '#libs/platform';
import type { OperationDetails } from '../operation/operation.js';

/** Names that people and pages choose may hold characters that control a terminal or reorder a line. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}]/gu;

export const printable = (text: string) => text.replaceAll(UNSEEN, '?');

/** JSON whose invisible characters are escaped, so the value stays the same; line ends stay. */
const escaped = (json: string) =>
  json.replaceAll(UNSEEN, (character) =>
    character === '\n'
      ? character
      : Array.from(
          { length: character.length },
          (_, index) => String.raw`\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`,
        ).join(''),
  );

/** One JSON document in one line. */
const printableJson = (value: unknown) => escaped(JSON.stringify(value));

export interface Terminal {
  readonly variables: NodeJS.ProcessEnv;
  readonly isInteractive: boolean;
  /** Asks on stderr, never on stdout. @throws ArgumentError for any answer but yes */
  confirm(question: string): Promise<void>;
  /** Writes to stdout; resolves when there is room for more. */
  print(text: string): Promise<void>;
  warn(text: string): void;
  /** Aborted when the operator interrupts a command that runs without end, or the reader of stdout is gone. */
  interruption(): AbortSignal;
}

type Value =
  string | number | boolean | null | readonly string[] | Readonly<Record<string, string>>;

type OutputRow = Readonly<Record<string, Value | undefined>>;

export interface Output {
  /** For scripts; a list is `{ items, next }`. */
  readonly json: unknown;
  readonly text: string;
}

export interface Columns {
  readonly columns: readonly string[];
  readonly columnsIfAny?: readonly string[];
}

export function listed(list: Columns, page: ListPage<OutputRow>): Output {
  if (page.items.length === 0) return { json: page, text: 'There are none.\n' };
  const further = list.columnsIfAny?.filter((name) =>
    page.items.some((item) => item[name] != null),
  );
  const columns = [...list.columns, ...(further ?? [])];
  const rows = page.items.map((item) => columns.map((column) => cell(item[column])));
  const more = page.next === null ? '' : `\nThere are more: --after ${page.next}\n`;
  return { json: page, text: table([columns.map(heading), ...rows]) + more };
}

export const shown = (record: OutputRow): Output => ({
  json: record,
  text: table(Object.entries(record).map(([name, value]) => [heading(name), cell(value)])),
});

/** What an operation answered: a sentence, a table or a list of members, or rows or a document that come bit by bit. */
export function outputOf(
  { answer, says, widths }: OperationDetails,
  given: unknown,
): Output | RowStream | JsonStream {
  if (given instanceof StreamableFile) return { pieces: given.getStream() };
  if (widths) return { rows: given as AsyncIterable<OutputRow>, columns: widths };
  if (says) return done(given, says(given));
  return isList(answer) ? listed(answer, given as ListPage<OutputRow>) : shown(given as OutputRow);
}

const isList = (answer: unknown): answer is Columns => Object(answer).columns !== undefined;

export const done = (record: unknown, sentence: string): Output => ({
  json: record,
  text: `${printable(sentence)}\n`,
});

export const outputText = ({ json, text }: Output, asJson: boolean): string =>
  asJson ? `${printableJson(json)}\n` : text;

/** One JSON document, in pieces of which none ends within a value. */
export interface JsonStream {
  readonly pieces: AsyncIterable<string>;
}

export interface RowStream {
  readonly rows: AsyncIterable<OutputRow>;
  readonly columns: Readonly<Record<string, number>>;
}

/** For scripts one JSON object a line; for people one line per row, below a heading. A document is as it is. */
export async function* linesOf(
  stream: RowStream | JsonStream,
  json: boolean,
): AsyncGenerator<string> {
  if ('pieces' in stream) {
    for await (const piece of stream.pieces) yield escaped(piece);
    return;
  }
  const { rows, columns } = stream;
  const [names, widths] = [Object.keys(columns), Object.values(columns)];
  if (!json) yield line(names.map(heading), widths);
  for await (const row of rows) {
    const cells = names.map((name) => cell(row[name]));
    yield json ? `${printableJson(row)}\n` : line(cells, widths);
  }
}

const heading = (name: string) => name.replaceAll(/[A-Z]/g, ' $&').toUpperCase();

function cell(value: Value | undefined): string {
  const parts =
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.entries(value).map((part) => part.join('='))
      : [value ?? ''].flat();
  const text = parts.join(' ');
  return text === '' ? '-' : printable(text);
}

function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => widthOf(row[column]))),
  );
  return rows.map((row) => line(row, widths)).join('');
}

function line(cells: readonly string[], widths: readonly number[]): string {
  const pad = (text: string, column: number) =>
    text + ' '.repeat(Math.max(0, (widths[column] ?? 0) - widthOf(text)));
  return `${cells.map(pad).join('  ').trimEnd()}\n`;
}

const widthOf = (text = '') => [...text].length;
