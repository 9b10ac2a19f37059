const MIB = 1024 * 1024;

/** Bytes that may be taken in all by what is remembered of metadata documents. */
export const DOCUMENT_ROOM = {
  /** Documents that no grant uses. */
  trial: 4 * MIB,
  kept: 16 * MIB,
  refusals: MIB,
} as const;

/** What an entry takes beside its text and its identifier, which stands in two places. */
export const ENTRY_BYTES = 256;

export const entryBytes = (text: string, id: string) =>
  Buffer.byteLength(text) + 2 * Buffer.byteLength(id) + ENTRY_BYTES;
