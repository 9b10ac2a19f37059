import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { isJsonObject, parseJson } from '#libs/platform/json';

/** For the entries of the lists in one answer; what is around them has the rest of 512 KiB. */
export const MAX_LIST_BYTES = 500 * 1024;

export interface ListEntry {
  readonly name: string;
  readonly uri?: string;
  readonly uriTemplate?: string;
}

const keyOf = ({ uriTemplate, uri, name }: ListEntry): string => uriTemplate ?? uri ?? name;

/**
 * The entries after `cursor` that fit into `maxBytes` of JSON, and at least one. The cursor names the entry before, so
 * every replica can go on, even if that is gone. @throws ProtocolError -32602 for any other cursor
 */
export function pageOf(
  method: string,
  all: readonly ListEntry[],
  cursor: unknown,
  maxBytes: number,
) {
  const rest = all.slice(startAfter(method, all, cursor));
  let bytes = 0;
  const end = rest.findIndex((entry, at) => {
    bytes += bytesOf(entry) + 1;
    return bytes > maxBytes && at > 0;
  });
  if (end < 0) return { entries: rest };
  const entries = rest.slice(0, end);
  return { entries, nextCursor: cursorAt(method, entries.at(-1)) };
}

/** Entries of tools are the same objects in each list. */
const known = new WeakMap<ListEntry, number>();

function bytesOf(entry: ListEntry): number {
  const bytes = known.get(entry) ?? Buffer.byteLength(JSON.stringify(entry));
  known.set(entry, bytes);
  return bytes;
}

const cursorAt = (method: string, last: ListEntry | undefined) =>
  Buffer.from(JSON.stringify({ [method]: last && keyOf(last) })).toString('base64url');

function startAfter(method: string, all: readonly ListEntry[], cursor: unknown): number {
  // Some clients send an empty cursor for the first page.
  if (cursor === undefined || cursor === '') return 0;
  const named = parseJson(Buffer.from(String(cursor), 'base64url'));
  const last = isJsonObject(named) ? named[method] : undefined;
  if (typeof last !== 'string') {
    const sentence = 'there is no such cursor; ask for the list without one';
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, sentence);
  }
  const keys = all.map(keyOf);
  const at = keys.indexOf(last);
  return 1 + (at < 0 ? keys.findLastIndex((key) => key < last) : at);
}
