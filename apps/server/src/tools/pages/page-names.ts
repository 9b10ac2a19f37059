import { createHash } from 'node:crypto';
import { canonicalJson } from '#libs/json';
import type { PageTool, Tab, TabTools } from '#libs/tab-hub';

/** What all names of page tools begin with, and no name of a tool of the application does. */
export const PAGE_PREFIX = 'page_';

/** Function names of models have no more, and no dots. */
const MAX_NAME_LENGTH = 64;
const SUFFIX_LENGTH = 8;

/** A tool as one tab has it. */
export interface PageSource extends Pick<TabTools, 'tab' | 'lastFrameAt'> {
  readonly tool: PageTool;
}

/** One tool of `tools/list`, and the tabs whose pages offer it. */
export interface PageOffer {
  readonly name: string;
  /** Alike in all but what the page calls it; one at least. */
  readonly sources: readonly [PageSource, ...PageSource[]];
  /** The tab whose id is a part of the name, as another offers something else under it. */
  readonly only: Tab | undefined;
}

/**
 * The tools of all tabs under the names that clients know them by, each name once. What several pages
 * offer alike is one; what they offer differently is one for each tab.
 */
export function namePageTools(lists: readonly TabTools[]): ReadonlyMap<string, PageOffer> {
  const sources = lists.flatMap(({ tools, ...of }) => tools.map((tool) => ({ ...of, tool })));
  const namesakes = Map.groupBy(sources, ({ tool }) => plainName(tool.name));
  const offers = [...namesakes].flatMap(([name, all]) => offersOf(name, all));
  // A page may choose the name that another's tool has with a suffix: it is not given to it.
  const inOrder = offers.toSorted((one, other) => Number(!one.only) - Number(!other.only));
  const named = new Map<string, PageOffer>();
  for (const offer of inOrder) if (!named.has(offer.name)) named.set(offer.name, offer);
  return named;
}

function offersOf(name: string, [first, ...others]: readonly PageSource[]): PageOffer[] {
  if (!first) return [];
  const isAlike = others.every(({ tool }) => contentOf(tool) === contentOf(first.tool));
  const isOncePerTab = new Set([first, ...others].map(({ tab }) => tab.id)).size > others.length;
  if (isAlike && isOncePerTab) return [{ name, sources: [first, ...others], only: undefined }];
  return [first, ...others].map((source) => {
    const { tab, tool } = source;
    const suffix = isOncePerTab ? tab.id : hashOf(tab.id + tool.name);
    return { name: withSuffix(name, suffix), sources: [source], only: tab };
  });
}

const plainName = (name: string) =>
  `${PAGE_PREFIX}${name.replaceAll('.', '_')}`.slice(0, MAX_NAME_LENGTH);

const withSuffix = (name: string, suffix: string) =>
  `${name.slice(0, MAX_NAME_LENGTH - SUFFIX_LENGTH - 1)}_${suffix.slice(0, SUFFIX_LENGTH)}`;

const hashOf = (text: string) => createHash('sha256').update(text).digest('base64url');

const contents = new WeakMap<PageTool, string>();

/** The same for tools that differ in nothing but the dots of their names. */
function contentOf(tool: PageTool): string {
  const known = contents.get(tool);
  if (known !== undefined) return known;
  const content = hashOf(canonicalJson({ ...tool, name: '' }));
  contents.set(tool, content);
  return content;
}
