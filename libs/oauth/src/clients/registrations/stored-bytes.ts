/** Identifier, secret hash, times, their indexes, and the metadata that the library adds. */
const ROW_BYTES = 1024;

/** The approximate size of a registration in the database, as budgets count it. */
export const storedBytes = (metadata: object): number =>
  ROW_BYTES + Buffer.byteLength(JSON.stringify(metadata));
