import { LRUCache } from 'lru-cache';
import type { PageTool } from '../protocol/page-tool.js';

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
