/** Identifier, secret's hash, times, their indexes, and what the library adds to the metadata. */
const ROW_BYTES = 1024;

/** About what a registration takes in the database, as budgets count it. */
export const storedBytes = (metadata: object): number =>
  ROW_BYTES + Buffer.byteLength(JSON.stringify(metadata));
