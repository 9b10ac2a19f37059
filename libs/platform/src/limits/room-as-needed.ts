/**
 * Options of an LRUCache of at most `entries` that allocates memory as they are added: `max` would allocate 40 bytes
 * per entry at once, which takes some milliseconds of the start.
 */
export const roomAsNeeded = (entries: number) => ({
  maxSize: entries,
  sizeCalculation: () => 1,
});
