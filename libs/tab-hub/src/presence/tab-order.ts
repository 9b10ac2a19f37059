import type { Tab } from '../protocol/tab.js';

/** For sorting: the oldest connection first; of two of the same millisecond always the same one. */
export const oldestFirst = (one: Tab, other: Tab) =>
  compare(one.connectedAt, other.connectedAt) || compare(one.id, other.id);

const compare = (one: string, other: string) => Number(one > other) - Number(one < other);
