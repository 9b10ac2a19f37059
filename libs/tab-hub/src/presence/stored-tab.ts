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
