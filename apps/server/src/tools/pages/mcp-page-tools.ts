import { Injectable } from '@nestjs/common';
import {
  type AccountTool,
  AccountTools,
  badArguments,
  type CallSubject,
  MAX_ACCOUNT_ENTRIES,
  type McpCaller,
  ToolError,
} from '#libs/mcp';
import { isJsonObject, SchemaChecks } from '#libs/platform';
import { type PageTool, type Tab, TabsService } from '#libs/tab-hub';
import { isOfClosedTab, PageCallsService } from '../page-calls.service.js';
import { MAX_CALL_MS } from '../tab-schema.js';
import { OfferedToolsService } from './offered-tools.service.js';
import {
  contentOf,
  namePageTools,
  PAGE_PREFIX,
  type PageOffer,
  type PageSource,
  type PageTarget,
} from './page-names.js';
import {
  definitionOf,
  isConsequential,
  listingOf,
  ownSchemaOf,
  readArguments,
  tabMismatch,
  titleOf,
  visibleLine,
} from './page-text.js';

const SCOPE = 'tabs:write';
const MAX_NAMES = 20;

@Injectable()
export class McpPageTools extends AccountTools {
  readonly prefix = PAGE_PREFIX;
  /** For the calls of a batch; each request has a caller object of its own. */
  private readonly namesFor = new WeakMap<McpCaller, ReturnType<McpPageTools['names']>>();

  constructor(
    private readonly tabs: TabsService,
    private readonly offered: OfferedToolsService,
    private readonly calls: PageCallsService,
    private readonly checks: SchemaChecks,
  ) {
    super();
  }

  override isShownTo = (caller: McpCaller): boolean => caller.scopes.includes(SCOPE);

  override async list(caller: McpCaller) {
    if (!this.isShownTo(caller)) return [];
    const { listed } = await this.names(caller, listingOf);
    const isListed = ({ sources: [{ tool }] }: PageOffer) => 'schema' in listingOf(tool);
    const offers = usedLast([...listed.values()].filter(isListed));
    return offers.flatMap((offer) => definitionOf(offer) ?? []);
  }

  /** Finds a tool for any name: a model may still call a tool of a page that is closed. */
  override async find(name: string, caller: McpCaller): Promise<AccountTool> {
    const names = this.namesFor.get(caller) ?? this.names(caller);
    this.namesFor.set(caller, names);
    const { listed, find } = await names;
    // The calls of a batch are found in one turn; while they wait, the tools of all tabs are not kept.
    setImmediate(() => this.namesFor.delete(caller));
    let target: CallTarget = find(name) ?? { sources: [], reachable: [] };
    // What open pages offer, and where, is told with the scope alone.
    const isAllowed = caller.scopes.includes(SCOPE);
    const sentence = isAllowed
      ? goneSentence([...listed.keys()].filter((one) => one !== name))
      : UNSEEN;
    const gone = () => new ToolError(sentence, { reason: 'tab gone' });
    const offered = target.sources[0]?.tool;
    const read = (input: unknown, at = target) => {
      const call = readCall(at, input, gone, isAllowed);
      // All checks of a call have the same input: while it waits, it keeps no tools of other tabs.
      target = narrowed(at, call);
      return call;
    };
    const callIn =
      (at?: CallTarget): AccountTool['call'] =>
      async (input, from, run) => {
        const { places, params, isAnyTab } = read(input, at);
        try {
          return await this.calls.call({ places, params, timeoutMs: MAX_CALL_MS }, from, run);
        } catch (error) {
          throw isAnyTab && isOfClosedTab(error) ? gone() : error;
        }
      };
    const mismatchOf = async (input: unknown) => {
      const { tab } = readArguments(offered, input);
      const mismatch = tabMismatch(tab);
      if (mismatch !== undefined) return mismatch;
      const { tool, params } = read(input);
      await this.calls.expectSize(params);
      return this.checks.mismatch(caller.user.id, ownSchemaOf(tool), params);
    };
    return {
      name: offered?.name ?? `${PAGE_PREFIX}*`,
      title: offered && titleOf(offered),
      scope: SCOPE,
      checkInput: async (input) => {
        try {
          const mismatch = await mismatchOf(input);
          if (isAllowed || mismatch === undefined) return mismatch;
        } catch (error) {
          if (isAllowed || !(error instanceof ToolError)) throw error;
        }
        // What is wrong would tell of the tool.
        throw badArguments(UNSEEN);
      },
      subject: async (input) => {
        if (tabMismatch(readArguments(offered, input).tab) !== undefined) return undefined;
        const { tool, tab, isAnyTab } = read(input);
        const callInShown = (shown: string) => {
          const sources = target.sources.filter((source) => source.tab.id === shown);
          return callIn({ ...target, sources });
        };
        return { ...subjectIn(tab, tool), ...(isAnyTab && { callIn: callInShown }) };
      },
      call: callIn(),
    };
  }

  /** What those tools do that take a tab; all that its page offers, by whatever way, is asked for alike. */
  override subjectOf(name: string) {
    if (name !== 'call_tab' && name !== 'send_message') return undefined;
    return async (input: unknown, { user, scopes }: McpCaller) => {
      const { tab: id, method, params } = isJsonObject(input) ? input : {};
      const found = typeof id === 'string' ? await this.tabs.find(user.id, id) : undefined;
      if (!found) return undefined;
      const tool = name === 'call_tab' && found.tools.find((each) => each.name === method);
      const subject = subjectIn(found.tab, tool || undefined);
      // To an app without the scope, a refusal would tell that the page has this tool.
      if (!tool || !scopes.includes(SCOPE)) return subject;
      const expectFit = () => this.calls.expectFitting(user.id, tool, params ?? {});
      return { ...subject, expectFit };
    };
  }

  override onChanged(userId: string, listener: () => void) {
    return this.tabs.onToolsChanged(userId, listener);
  }

  private async names(caller: McpCaller, prepare: (tool: PageTool) => unknown = () => undefined) {
    return this.offered.read(caller, namePageTools, (tool) => {
      contentOf(tool);
      prepare(tool);
    });
  }
}

type CallTarget = Pick<PageTarget, 'sources' | 'reachable'>;

/** The same for the call that was read, with what several tabs offer alike once. */
function narrowed(
  { sources, reachable }: CallTarget,
  { tool, tab, isAnyTab }: ReturnType<typeof readCall>,
): CallTarget {
  if (!isAnyTab) {
    return { sources: sources.slice(0, 1), reachable: reachable.filter((at) => at.tab === tab) };
  }
  const alike = ({ name }: PageTool) => (name === tool.name ? tool : { ...tool, name });
  const shared = sources.map((source) => ({ ...source, tool: alike(source.tool) }));
  return { sources: shared, reachable: [] };
}

/** When there are too many, the tools of the most recently used pages; sorted by name, so that lists are stable. */
function usedLast(offers: readonly PageOffer[]): PageOffer[] {
  const lastUse = ({ sources }: PageOffer) => Math.max(...sources.map((each) => each.lastFrameAt));
  return offers
    .toSorted((one, other) => lastUse(other) - lastUse(one))
    .slice(0, MAX_ACCOUNT_ENTRIES)
    .toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

/**
 * The arguments, and the page in the named tab, else those that offer the tool, the last used first. @throws ToolError
 */
function readCall(
  { sources, reachable }: CallTarget,
  input: unknown,
  gone: () => ToolError,
  isAllowed: boolean,
) {
  const { tab: asked, params } = readArguments(sources[0]?.tool, input);
  const isAnyTab = asked === undefined;
  const [first, ...others] = isAnyTab
    ? sources.toSorted((one, other) => other.lastFrameAt - one.lastFrameAt)
    : reachable.filter(({ tab }) => tab.id === asked);
  if (first) {
    const places = [placeOf(first), ...others.map(placeOf)] as const;
    return { tool: first.tool, tab: first.tab, places, params, isAnyTab };
  }
  if (isAnyTab || reachable.length === 0 || !isAllowed) throw gone();
  const ids = reachable.map(({ tab }) => tab.id).join(', ');
  const sentence = `That tab does not offer this tool, or is closed; these offer it: ${ids}.`;
  throw new ToolError(sentence, { reason: 'tab gone' });
}

const placeOf = ({ tab, tool }: PageSource) => ({
  tab: tab.id,
  method: tool.name,
  page: tab,
  tool,
});

/** For an app without the scope: whether a page offers the tool is not told either. */
const UNSEEN =
  'No open page of the user offers this tool now, or not for these arguments; the user has not allowed this app to see what pages offer.';

function goneSentence(names: readonly string[]) {
  const shown = names.slice(0, MAX_NAMES).join(', ');
  const rest = names.length > MAX_NAMES ? ` and ${names.length - MAX_NAMES} more` : '';
  const left = names.length === 0 ? 'no open page offers any' : `they offer ${shown}${rest}`;
  return `No open page of the user offers this tool now; ${left}.`;
}

const subjectIn = (tab: Tab, tool: PageTool | undefined): CallSubject => ({
  page: { tab: tab.id, title: visibleLine(tab.title), url: visibleLine(tab.url) },
  title: tool && titleOf(tool),
  isConsequential: tool && isConsequential(tool),
});
