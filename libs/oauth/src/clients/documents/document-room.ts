const MIB = 1024 * 1024;

/** The size of each room of the client document cache, in bytes. */
export const DOCUMENT_ROOM = {
  /** Documents that no grant uses. */
  trial: 4 * MIB,
  kept: 16 * MIB,
  refusals: MIB,
} as const;

/** The overhead of an entry beside its text and its identifier, which is stored twice. */
export const ENTRY_BYTES = 256;

export const entryBytes = (text: string, id: string) =>
  Buffer.byteLength(text) + 2 * Buffer.byteLength(id) + ENTRY_BYTES;
