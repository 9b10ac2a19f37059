import { LRUCache } from 'lru-cache';
import type { PageTool } from '../protocol/page-tool.js';

/** Of texts; what is made of them takes several times as much. */
const MAX_CHARACTERS = 4 * 1024 * 1024;
const NO_TOOLS: readonly PageTool[] = [];

/** Lists of tools as they are stored; one that was read lately is not parsed again. */
export class ToolLists {
  private readonly parsed = new LRUCache<string, readonly PageTool[]>({
    maxSize: MAX_CHARACTERS,
    sizeCalculation: (_, text) => text.length,
  });

  /** Empty text when there are none. */
  format = (tools: readonly PageTool[]) => (tools.length === 0 ? '' : JSON.stringify(tools));

  /** The same list for the same text, as long as it is remembered. */
  parse(text: string): readonly PageTool[] {
    if (text === '') return NO_TOOLS;
    const known = this.parsed.get(text);
    if (known) return known;
    const tools = JSON.parse(text) as readonly PageTool[];
    this.parsed.set(text, tools);
    return tools;
  }
}
