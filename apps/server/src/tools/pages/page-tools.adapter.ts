import { Injectable } from '@nestjs/common';
import { AccountTurns } from '#libs/load';
import {
  type AccountTool,
  AccountTools,
  MAX_ACCOUNT_TOOLS,
  type McpCaller,
  ToolError,
  type ToolRun,
} from '#libs/oauth';
import { MAX_CALL_MS, TabCallsService } from '../tab-calls.service.js';
import { TabsService } from '#libs/tab-hub';
import { OfferedToolsService } from './offered-tools.service.js';
import { namePageTools, PAGE_PREFIX, type PageOffer } from './page-names.js';
import { argumentsMisfit, readArguments } from './page-schema.js';
import { definitionOf } from './page-text.js';

const SCOPE = 'tabs:write';
const MAX_NAMES = 20;

/** The tools that the user's open pages offer, as tools of the MCP endpoint. */
@Injectable()
export class PageTools extends AccountTools {
  readonly prefix = PAGE_PREFIX;

  constructor(
    private readonly tabs: TabsService,
    private readonly offered: OfferedToolsService,
    private readonly calls: TabCallsService,
    private readonly turns: AccountTurns,
  ) {
    super();
  }

  /** What is open is nothing for an app that may not use it. */
  override async list(caller: McpCaller) {
    if (!caller.scopes.includes(SCOPE)) return [];
    const offers = await this.offers(caller);
    return usedLast([...offers.values()]).map((offer) => definitionOf(offer));
  }

  /** Any name is a tool: pages go while models still know what they offered. */
  override async find(name: string, caller: McpCaller): Promise<AccountTool> {
    const offers = await this.offers(caller);
    const offer = offers.get(name);
    if (!offer) return goneTool(name, [...offers.keys()]);
    return {
      name,
      scope: SCOPE,
      checkInput: async (input) => {
        await this.turns.take(caller.user.id);
        return argumentsMisfit(offer.sources[0].tool, input);
      },
      call: (input, from, run) => this.call(offer, input, from, run),
    };
  }

  override onChanged(userId: string, listener: () => void) {
    return this.tabs.onToolsChanged(userId, listener);
  }

  private async offers(caller: McpCaller) {
    const lists = await this.offered.list(caller);
    await this.turns.take(caller.user.id);
    return namePageTools(lists);
  }

  private async call(offer: PageOffer, input: unknown, caller: McpCaller, run: ToolRun) {
    const { tab: asked, params } = readArguments(offer.sources[0].tool, input);
    const source = sourceFor(offer, asked);
    const { tab, tool } = source;
    const call = { tab: tab.id, method: tool.name, params, timeoutMs: MAX_CALL_MS };
    return this.calls.call(call, caller, run);
  }
}

/** Those of the pages that were used last, where there are too many; by name, so that lists stay the same. */
function usedLast(offers: readonly PageOffer[]): PageOffer[] {
  const lastUse = ({ sources }: PageOffer) => Math.max(...sources.map((each) => each.lastFrameAt));
  return offers
    .toSorted((one, other) => lastUse(other) - lastUse(one))
    .slice(0, MAX_ACCOUNT_TOOLS)
    .toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

/** The tab that was asked for, else the one whose page last sent a frame. */
function sourceFor({ sources }: PageOffer, asked: unknown) {
  if (asked === undefined) {
    return sources.reduce((last, next) => (next.lastFrameAt > last.lastFrameAt ? next : last));
  }
  const source = sources.find(({ tab }) => tab.id === asked);
  if (source) return source;
  const ids = sources.map(({ tab }) => tab.id).join(', ');
  throw new ToolError(`That tab does not offer this tool, or is closed; these offer it: ${ids}.`);
}

function goneTool(name: string, names: readonly string[]): AccountTool {
  const shown = names.slice(0, MAX_NAMES).join(', ');
  const rest = names.length > MAX_NAMES ? ` and ${names.length - MAX_NAMES} more` : '';
  const left = names.length === 0 ? 'no open page offers any' : `they offer ${shown}${rest}`;
  const call = () => {
    throw new ToolError(`No open page of the user offers this tool now; ${left}.`);
  };
  return { name, scope: SCOPE, checkInput: () => undefined, call };
}
