import { LRUCache } from 'lru-cache';
import { contentsOf, type PageTool } from '../protocol/page-tool.js';
import type { Tab, TabTools } from '../protocol/tab.js';

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

/** Shared names of a tab's tools, as they are stored and as scripts compare them. */
interface StoredNames {
  /** Less for an older tab. */
  readonly since: string;
  readonly contents: Readonly<Record<string, string>>;
  /** By name; scripts keep it. */
  readonly suffixed?: Readonly<Record<string, unknown>>;
}

/** In hexadecimal digits, which Lua orders like JavaScript in any locale. */
const hexOf = (id: string) => Buffer.from(id).toString('hex');

export const formatNames = ({ id, connectedAt }: Tab, tools: readonly PageTool[]) =>
  JSON.stringify({
    since: `${connectedAt} ${hexOf(id)}`,
    contents: Object.fromEntries(contentsOf(tools)),
  } satisfies StoredNames);

/** Empty text where none are stored. */
export function parseNames(text: string): Pick<TabTools, 'suffixed'> {
  const { suffixed = {} } = text === '' ? {} : (JSON.parse(text) as StoredNames);
  const names = Object.keys(suffixed);
  return names.length === 0 ? {} : { suffixed: names };
}

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
