import type { Tab, TabTools } from '#libs/tab-hub';
import { visible, visibleLine } from './visible.js';

/** The limit of the JSON text; beyond it, tools are shown by their names only. */
const MAX_BYTES = 64 * 1024;

/** Open tabs with the tools of their pages, as apps see them. */
export function shownTabs(lists: readonly TabTools[]) {
  const shown: ReturnType<typeof shownTab>[] = [];
  let bytes = 0;
  for (const list of lists) {
    const tab = shownTab(list);
    bytes += Buffer.byteLength(JSON.stringify(tab));
    if (bytes > MAX_BYTES) return lists.map((each) => shownByNames(each));
    shown.push(tab);
  }
  return shown;
}

const shownByNames = ({ tab, tools }: TabTools) => ({
  ...shownAlone(tab),
  tools: tools.map(({ name }) => ({ name })),
});

/** One tab with the tools of its page, as apps see it. */
export const shownTab = ({ tab, tools }: TabTools) => ({
  ...shownAlone(tab),
  tools: tools.map((tool) => ({
    name: tool.name,
    ...(tool.title === undefined ? {} : { title: visibleLine(tool.title) }),
    description: visible(tool.description),
  })),
});

const shownAlone = ({ id, title, url, connectedAt }: Tab) => ({
  id,
  title: visibleLine(title),
  url: visibleLine(url),
  connectedAt,
});
