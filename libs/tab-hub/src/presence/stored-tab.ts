import { LRUCache } from 'lru-cache';
import type { PageTool } from '../protocol/page-tool.js';
import type { Tab } from '../protocol/tab.js';

/** A tab as it is stored. Replicas of earlier versions store less, and show their pages all that there is. */
type StoredTab = Omit<Tab, 'toolNames'> & Partial<Tab> & { readonly lastFrameAt?: number };

export const formatTab = (tab: Tab, lastFrameAt: number) =>
  JSON.stringify({ ...tab, lastFrameAt } satisfies StoredTab);

/** The tab, and when its page last said something, in epoch milliseconds. */
export function parseTab(text: string): { readonly tab: Tab; readonly lastFrameAt: number } {
  const stored = JSON.parse(text) as StoredTab;
  const { id, title, url, connectedAt, toolNames = [] } = stored;
  const { lastFrameAt = Date.parse(connectedAt) } = stored;
  return { tab: { id, title, url, connectedAt, toolNames }, lastFrameAt };
}

/** Empty text where there is none. */
export const formatNote = (note: unknown) => (note === undefined ? '' : JSON.stringify(note));
export const parseNote = (text: string): unknown => (text === '' ? undefined : JSON.parse(text));

/** By the fields of their tabs; `stored` is, of each, the field and the note. */
export const parseNotes = (stored: readonly string[]): ReadonlyMap<string, unknown> =>
  new Map(
    stored.flatMap((field, at) => (at % 2 ? [] : [[field, parseNote(stored[at + 1] ?? '')]])),
  );

/** Empty text when there are none. */
export const formatTools = (tools: readonly PageTool[]) =>
  tools.length === 0 ? '' : JSON.stringify(tools);

/** Of all texts; the lists that are parsed from them take several times as much. */
const MAX_CHARACTERS = 4 * 1024 * 1024;
const NO_TOOLS: readonly PageTool[] = [];

const parsed = new LRUCache<string, readonly PageTool[]>({
  maxSize: MAX_CHARACTERS,
  sizeCalculation: (_, text) => text.length,
  memoMethod: (text) => JSON.parse(text) as readonly PageTool[],
});

/** The same list for the same text, as long as it is remembered. */
export const parseTools = (text: string): readonly PageTool[] =>
  text === '' ? NO_TOOLS : parsed.memo(text);
