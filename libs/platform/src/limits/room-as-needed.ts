/**
 * Options of an LRUCache that holds at most `entries`, and takes room for them as they come: `max` takes it at once,
 * which is 40 bytes an entry and some milliseconds of the start.
 */
export const roomAsNeeded = (entries: number) => ({
  maxSize: entries,
  sizeCalculation: () => 1,
});
