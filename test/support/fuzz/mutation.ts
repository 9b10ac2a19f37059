import * as fc from 'fast-check';
import { bytesOf, type RawCbor, rawCbor } from './raw-cbor.js';
import { type Json, json, MARKER } from './fuzz-json.js';

type JsonObject = { [member: string]: Json };

type Change =
  | { readonly kind: 'drop' }
  | { readonly kind: 'replace'; readonly value: Json }
  | { readonly kind: 'cut'; readonly at: number }
  | { readonly kind: 'insert'; readonly at: number; readonly text: string }
  | { readonly kind: 'bytes'; readonly at: number; readonly remove: number; readonly raw: RawCbor }
  | { readonly kind: 'flip'; readonly at: number; readonly mask: number };

/** One fault in a response: its position and kind. Positions wrap around in shorter values. */
export interface Mutation {
  readonly member: string;
  readonly inResponse: boolean;
  readonly change: Change;
}

/** Positions in the attestation objects of a soft authenticator: the whole, `fmt`, `attStmt`, authenticator data. */
const PLACES: readonly (readonly [at: number, remove: number])[] = [
  [0, 100_000],
  [5, 5],
  [18, 1],
  [19, 100_000],
  [28, 100_000],
];
const place = fc.oneof(fc.constantFrom(...PLACES), fc.tuple(fc.nat(400), fc.nat(40)));

const at = fc.nat(400);
const change: fc.Arbitrary<Change> = fc.oneof(
  fc.constant({ kind: 'drop' } as const),
  json.map((value) => ({ kind: 'replace', value }) as const),
  at.map((position) => ({ kind: 'cut', at: position }) as const),
  fc
    .tuple(at, fc.constantFrom('=', '+', '/', '*', ' ', '\n', 'A', 'AAAA', '\u20ac', MARKER))
    .map(([position, text]) => ({ kind: 'insert', at: position, text }) as const),
  fc
    .tuple(at, fc.integer({ min: 1, max: 255 }))
    .map(([position, mask]) => ({ kind: 'flip', at: position, mask }) as const),
  fc
    .tuple(place, rawCbor)
    .map(([[position, remove], raw]) => ({ kind: 'bytes', at: position, remove, raw }) as const),
);

/** One or two faults among these members; `response.x` is a member of the inner object. */
export const mutations = (members: readonly string[]): fc.Arbitrary<Mutation[]> =>
  fc.array(
    fc.tuple(fc.constantFrom(...members), change).map(([path, made]) => ({
      member: path.replace('response.', ''),
      inResponse: path.startsWith('response.'),
      change: made,
    })),
    { minLength: 1, maxLength: 2 },
  );

/** A copy of a response with these faults. */
export function mutated(response: object, faults: readonly Mutation[]): JsonObject {
  const copy = JSON.parse(JSON.stringify(response)) as JsonObject;
  for (const { member, inResponse, change: made } of faults) {
    const owner = inResponse ? copy['response'] : copy;
    if (typeof owner === 'object' && owner !== null && !Array.isArray(owner)) {
      alter(owner, member, made);
    }
  }
  return copy;
}

function alter(owner: JsonObject, member: string, made: Change) {
  if (made.kind === 'drop') delete owner[member];
  else owner[member] = made.kind === 'replace' ? made.value : alteredText(owner[member], made);
}

type TextChange = Exclude<Change, { kind: 'drop' | 'replace' }>;

function alteredText(value: Json | undefined, made: TextChange): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value ?? null);
  const position = made.at % (text.length + 1);
  if (made.kind === 'cut') return text.slice(0, position);
  if (made.kind === 'insert') return text.slice(0, position) + made.text + text.slice(position);
  return alteredBytes(Buffer.from(text, 'base64url'), made).toString('base64url');
}

function alteredBytes(bytes: Buffer, made: Extract<TextChange, { kind: 'bytes' | 'flip' }>) {
  const position = made.at % (bytes.length + 1);
  if (made.kind === 'bytes') {
    const tail = bytes.subarray(position + made.remove);
    return Buffer.concat([bytes.subarray(0, position), bytesOf(made.raw), tail]);
  }
  const flipped = Buffer.from(bytes);
  if (position < flipped.length)
    flipped.writeUInt8(flipped.readUInt8(position) ^ made.mask, position);
  return flipped;
}
