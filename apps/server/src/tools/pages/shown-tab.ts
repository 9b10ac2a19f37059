import type { TabTools } from '#libs/tab-hub';
import { visible } from './visible.js';

/** A tab, and what its page offers, as apps see them. */
export const shownTab = ({ tab: { id, title, url, connectedAt }, tools }: TabTools) => ({
  id,
  title: visible(title),
  url: visible(url),
  connectedAt,
  tools: tools.map((tool) => ({
    name: tool.name,
    ...(tool.title === undefined ? {} : { title: visible(tool.title) }),
    description: visible(tool.description),
  })),
});
