import { hash } from 'node:crypto';
import { canonicalJson, type JsonObject, isJsonObject, memberOf, placesIn } from '#libs/platform';
import { OfferNotes, type PageTool, type Tab, type TabTools } from '#libs/tab-hub';

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
/** How many names keep the suffix in a tab whose page no longer offers a tool of the name. */
const MAX_FORMER_NAMES = 64;

/** What apps know a tool by, after the prefix: tools of several tabs may have the same. */
const sharedName = (name: string): string =>
  name.replaceAll('.', '_').slice(0, MAX_NAME_LENGTH - PAGE_PREFIX.length);

const digests = new WeakMap<PageTool, string>();

/** The same for tools that differ in nothing but their names. It is remembered, since it takes long. */
export function contentOf(tool: PageTool): string {
  const digest = digests.get(tool) ?? hashOf(canonicalJson({ ...tool, name: '' })).slice(0, 22);
  digests.set(tool, digest);
  return digest;
}

interface NameNote {
  /** Less for a tab that was opened earlier. */
  readonly since: string;
  /** Of two tools with one name the content of the first. */
  readonly contents: readonly (readonly [name: string, content: string])[];
  readonly suffixed: readonly string[];
}

const suffixedIn = (note: unknown) => new Set((note as NameNote | undefined)?.suffixed);

function parseNote(note: unknown) {
  const { since, contents } = note as NameNote;
  return { since, contents: new Map(contents), suffixed: suffixedIn(note) };
}

/** Undefined when there is nothing to keep. */
function formatNote({ since, contents, suffixed }: ReturnType<typeof parseNote>) {
  if (contents.size + suffixed.size === 0) return undefined;
  return { since, contents: [...contents], suffixed: [...suffixed] } satisfies NameNote;
}

/**
 * Decides which tabs have the suffix of a name: of different tools that meet, the tab that was opened first has the
 * plain name; each other one gets the suffix until its tab closes, and so does one that comes to settled ones.
 */
export class PageNameNotes extends OfferNotes {
  override decide(
    own: string,
    tab: Tab,
    tools: readonly PageTool[],
    notes: ReadonlyMap<string, unknown>,
  ) {
    const all = new Map([...notes].map(([key, note]) => [key, parseNote(note)]));
    const since = `${tab.connectedAt} ${tab.id}`;
    const contents = new Map(
      tools.toReversed().map((tool) => [sharedName(tool.name), contentOf(tool)]),
    );
    const suffixed = suffixedIn(notes.get(own));
    const changed = new Map([[own, { since, contents, suffixed }]]);
    all.delete(own);
    for (const [name, content] of contents) {
      const namesakes = [...all].filter(([, other]) => other.contents.has(name));
      const plain = namesakes.filter(([, other]) => !other.suffixed.has(name));
      const rivals = plain.filter(([, other]) => other.contents.get(name) !== content);
      const isSettled = plain.length < namesakes.length;
      if (rivals.length < plain.length) suffixed.delete(name);
      else if (suffixed.has(name) || rivals.length === 0) continue;
      else if (isSettled || rivals.some(([, rival]) => rival.since < since)) suffixed.add(name);
      else {
        for (const [, rival] of rivals) rival.suffixed.add(name);
        for (const [key, rival] of rivals) changed.set(key, rival);
      }
    }
    const former = [...suffixed].filter((name) => !contents.has(name));
    for (const name of former.slice(MAX_FORMER_NAMES)) suffixed.delete(name);
    return new Map([...changed].map(([key, offer]) => [key, formatNote(offer)]));
  }
}

export interface PageSource extends Pick<TabTools, 'tab' | 'lastFrameAt'> {
  readonly tool: PageTool;
}

export interface PageTarget {
  readonly name: string;
  /** The tabs that offer the tool with the same content; only the page's own name for it may differ. */
  readonly sources: readonly PageSource[];
  /** Every tab that a call may name, including tabs whose pages offer a different tool under this name. */
  readonly reachable: readonly PageSource[];
}

export interface PageOffer extends PageTarget {
  readonly sources: readonly [PageSource, ...PageSource[]];
  /** The tab whose id is part of the name, because another tab offers a different tool under the plain name. */
  readonly only: Tab | undefined;
}

interface Claim extends PageSource {
  readonly isSuffixed: boolean;
}

/**
 * Names the tools of all tabs, the oldest first. Identical ones become one; of different ones with one name, the
 * oldest without an earlier suffix gets the plain name, and the others are listed per tab, with a suffix. `find` also
 * takes names with a tab's suffix that are not listed, and plain ones whose tools all have a suffix.
 */
export function namePageTools(lists: readonly TabTools[]) {
  const claims = lists.flatMap(({ tools, note, ...of }) => {
    const names = suffixedIn(note);
    return tools.map((tool) => ({ ...of, tool, isSuffixed: names.has(sharedName(tool.name)) }));
  });
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
  const find = (name: string): PageTarget | undefined => suffixed.get(name) ?? plain.get(name);
  return { listed, find };
}

/** When two long names of one page are equal after truncation, the plain name refers to the first only. */
function plainTarget(name: string, all: readonly Claim[]): PageTarget {
  const reachable = [...Map.groupBy(all, ({ tab }) => tab.id).values()].flatMap(
    ([first]) => first ?? [],
  );
  const holder = reachable.find(({ isSuffixed }) => !isSuffixed);
  const sources = reachable.filter(
    ({ tool }) => holder && (tool === holder.tool || contentOf(tool) === contentOf(holder.tool)),
  );
  return { name, sources, reachable };
}

const withSuffix = (name: string, suffix: string) =>
  `${name.slice(0, MAX_NAME_LENGTH - SUFFIX_LENGTH - 1)}_${suffix.slice(0, SUFFIX_LENGTH)}`;

const hashOf = (text: string) => hash('sha256', text, 'base64url');
