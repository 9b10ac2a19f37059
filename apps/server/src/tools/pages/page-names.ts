import { createHash } from 'node:crypto';
import { contentOf, type PageTool, sharedName, type Tab, type TabTools } from '#libs/tab-hub';

/** What all names of page tools begin with, and no name of a tool of the application does. */
export const PAGE_PREFIX = 'page_';

/** Function names of models have no more, and no dots. */
const MAX_NAME_LENGTH = 64;
const SUFFIX_LENGTH = 8;

/** A tool as one tab has it. */
export interface PageSource extends Pick<TabTools, 'tab' | 'lastFrameAt'> {
  readonly tool: PageTool;
}

/** What a name stands for. */
export interface PageTarget {
  readonly name: string;
  /** The tabs whose pages offer the tool of this name, alike in all but what the page calls it. */
  readonly sources: readonly PageSource[];
  /** Every tab that can be named in a call of it: those whose pages offer something else by the name, too. */
  readonly reachable: readonly PageSource[];
}

/** One tool of `tools/list`. */
export interface PageOffer extends PageTarget {
  readonly sources: readonly [PageSource, ...PageSource[]];
  /** The tab whose id is a part of the name, as another offers something else under it. */
  readonly only: Tab | undefined;
}

export interface PageNames {
  /** Each name once. */
  readonly listed: ReadonlyMap<string, PageOffer>;
  /** By what is listed, by the name with a tab's suffix, and by a name that only tools with the suffix have. */
  readonly find: (name: string) => PageTarget | undefined;
}

interface Claim extends PageSource {
  readonly isSuffixed: boolean;
}

/**
 * The tools of all tabs, the oldest first, under the names that clients know them by. What several pages
 * offer alike is one. Of different tools of a name, the oldest that had not the suffix before has the plain
 * name; the others are one for each tab.
 */
export function namePageTools(lists: readonly TabTools[]): PageNames {
  const claims = lists.flatMap(({ tools, suffixed = [], ...of }) =>
    tools.map((tool) => ({ ...of, tool, isSuffixed: suffixed.includes(sharedName(tool.name)) })),
  );
  const plain = new Map<string, PageTarget>();
  const suffixed = new Map<string, PageOffer>();
  const listed = new Map<string, PageOffer>();
  for (const [shared, all] of Map.groupBy(claims, ({ tool }) => sharedName(tool.name))) {
    const name = `${PAGE_PREFIX}${shared}`;
    const target = plainTarget(name, all);
    plain.set(name, target);
    for (const source of all) {
      const { tab, tool } = source;
      const byTab = withSuffix(name, tab.id);
      // Two of one page that are long may begin alike.
      const own = suffixed.has(byTab) ? withSuffix(name, hashOf(tab.id + tool.name)) : byTab;
      const alone: readonly [PageSource] = [source];
      const offer = { name: own, sources: alone, reachable: alone, only: tab };
      suffixed.set(own, offer);
      if (!target.sources.includes(source)) listed.set(own, offer);
    }
  }
  for (const [name, target] of plain) {
    const [first, ...others] = target.sources;
    // A page may choose the name that another's tool has with a suffix: it is not given to it.
    if (!first || suffixed.has(name)) continue;
    listed.set(name, { ...target, sources: [first, ...others], only: undefined });
  }
  return { listed, find: (name) => suffixed.get(name) ?? plain.get(name) };
}

/** Of two tools of one page that are long and begin alike, the plain name reaches the first alone. */
function plainTarget(name: string, all: readonly Claim[]): PageTarget {
  const reachable = [...Map.groupBy(all, ({ tab }) => tab.id).values()].flatMap(
    ([first]) => first ?? [],
  );
  const holder = reachable.find(({ isSuffixed }) => !isSuffixed);
  const sources = reachable.filter(
    ({ tool }) => holder && contentOf(tool) === contentOf(holder.tool),
  );
  return { name, sources, reachable };
}

const withSuffix = (name: string, suffix: string) =>
  `${name.slice(0, MAX_NAME_LENGTH - SUFFIX_LENGTH - 1)}_${suffix.slice(0, SUFFIX_LENGTH)}`;

const hashOf = (text: string) => createHash('sha256').update(text).digest('base64url');
