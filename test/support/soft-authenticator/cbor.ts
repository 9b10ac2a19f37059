/** The values that can be encoded. Numbers are safe integers; a map keeps its insertion order. */
export type CborValue =
  | number
  | string
  | boolean
  | null
  | Uint8Array
  | readonly CborValue[]
  | ReadonlyMap<number | string, CborValue>;

/** RFC 8949 with definite lengths and shortest heads, as CTAP2 requires. */
export function encodeCbor(value: CborValue): Uint8Array {
  if (value === null) return Uint8Array.of(0xf6);
  if (typeof value === 'boolean') return Uint8Array.of(value ? 0xf5 : 0xf4);
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'string') return withHead(3, Buffer.from(value));
  if (value instanceof Uint8Array) return withHead(2, value);
  if (value instanceof Map) {
    const items = [...value].flat().map(encodeCbor);
    return Buffer.concat([head(5, value.size), ...items]);
  }
  const items = Array.from(value as readonly CborValue[], encodeCbor);
  return Buffer.concat([head(4, items.length), ...items]);
}

function withHead(major: number, bytes: Uint8Array): Uint8Array {
  return Buffer.concat([head(major, bytes.byteLength), bytes]);
}

function head(major: number, argument: number): Uint8Array {
  if (!Number.isSafeInteger(argument)) throw new RangeError(`${argument} is not a safe integer`);
  const type = major << 5;
  if (argument < 24) return Uint8Array.of(type | argument);
  if (argument < 2 ** 8) return Uint8Array.of(type | 24, argument);
  if (argument < 2 ** 16) return Uint8Array.of(type | 25, argument >> 8, argument & 0xff);
  const wide = argument >= 2 ** 32;
  const bytes = Buffer.alloc(wide ? 9 : 5);
  bytes.writeUInt8(type | (wide ? 27 : 26));
  if (wide) bytes.writeBigUInt64BE(BigInt(argument), 1);
  else bytes.writeUInt32BE(argument, 1);
  return bytes;
}
