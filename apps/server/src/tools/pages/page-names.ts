import { hash } from 'node:crypto';
import { type JsonObject, isJsonObject, memberOf, placesIn } from '#libs/platform';
import { contentOf, type PageTool, sharedName, type Tab, type TabTools } from '#libs/tab-hub';

/** Keywords whose subschemas (one, a list, or one per name) apply to the same value. */
const SAME_VALUE = ['allOf', 'anyOf', 'oneOf', 'if', 'then', 'else', 'not'];
const BY_NAME = ['dependentSchemas', 'dependencies'];
const NAMED = ['properties', 'dependentRequired', ...BY_NAME];

/** The members that a schema names for the value itself, not for nested values; follows references. */
export function namesAtRoot(root: JsonObject): ReadonlySet<string> {
  const places = placesIn(root);
  const names = new Set<string>();
  const known = new Set<unknown>();
  const rest: unknown[] = [root];
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    if (!isJsonObject(next) || known.has(next)) continue;
    known.add(next);
    const schema = next;
    for (const keyword of NAMED) {
      Object.keys(Object(memberOf(schema, keyword))).forEach((name) => names.add(name));
    }
    [memberOf(schema, 'required')].flat().forEach((name) => names.add(String(name)));
    rest.push(...SAME_VALUE.flatMap((keyword) => memberOf(schema, keyword) ?? []));
    rest.push(...BY_NAME.flatMap((keyword) => Object.values(Object(memberOf(schema, keyword)))));
    rest.push(places(String(memberOf(schema, '$ref'))) ?? true);
  }
  return names;
}

/** The prefix of all page tools' names; no tool of the application has it. */
export const PAGE_PREFIX = 'page_';

/** The longest function name that models accept; dots are not allowed either. */
const MAX_NAME_LENGTH = 64;
const SUFFIX_LENGTH = 8;

/** A tool as one tab offers it. */
export interface PageSource extends Pick<TabTools, 'tab' | 'lastFrameAt'> {
  readonly tool: PageTool;
}

/** The tools that a name refers to. */
export interface PageTarget {
  readonly name: string;
  /**
   * The tabs whose pages offer the tool of this name with the same content; only the page's own name for it may
   * differ.
   */
  readonly sources: readonly PageSource[];
  /** Every tab that a call may name, including tabs whose pages offer a different tool under this name. */
  readonly reachable: readonly PageSource[];
}

/** One tool of `tools/list`. */
export interface PageOffer extends PageTarget {
  readonly sources: readonly [PageSource, ...PageSource[]];
  /** The tab whose id is part of the name, because another tab offers a different tool under the plain name. */
  readonly only: Tab | undefined;
}

interface PageNames {
  /** Each name once. */
  readonly listed: ReadonlyMap<string, PageOffer>;
  /**
   * Finds by a listed name, by a name with a tab's suffix, and by a plain name whose tools are all listed with a
   * suffix.
   */
  readonly find: (name: string) => PageTarget | undefined;
}

interface Claim extends PageSource {
  readonly isSuffixed: boolean;
}

/**
 * Names the tools of all tabs, the oldest tab first, for clients. Identical tools of several pages become one. Of
 * different tools with the same name, the oldest one without an earlier suffix gets the plain name; each of the
 * others is listed per tab, with a suffix.
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
      // Two long names of one page may be equal after truncation.
      const own = suffixed.has(byTab) ? withSuffix(name, hashOf(tab.id + tool.name)) : byTab;
      const alone: readonly [PageSource] = [source];
      const offer = { name: own, sources: alone, reachable: alone, only: tab };
      suffixed.set(own, offer);
      if (!target.sources.includes(source)) listed.set(own, offer);
    }
  }
  for (const [name, target] of plain) {
    const [first, ...others] = target.sources;
    // A page may choose a name that equals another tool's suffixed name: the suffixed tool keeps it.
    if (!first || suffixed.has(name)) continue;
    listed.set(name, { ...target, sources: [first, ...others], only: undefined });
  }
  return { listed, find: (name) => suffixed.get(name) ?? plain.get(name) };
}

/** When two long names of one page are equal after truncation, the plain name refers to the first only. */
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

const hashOf = (text: string) => hash('sha256', text, 'base64url');
