import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { ScreeningService } from '#libs/code-runner';
import { badArguments, type McpCaller, ToolError, type ToolRun } from '#libs/mcp';
import { AccountTurns, SchemaChecks } from '#libs/platform';
import {
  assertFits,
  CallCancelledError,
  OutdatedCallError,
  type PageTool,
  type Tab,
  TabsService,
  type TabTools,
  UnknownTabError,
} from '#libs/tab-hub';
import { asToolError } from './as-tool-error.js';
import {
  isConsequential,
  ownSchemaOf,
  type PageResult,
  pageOf,
  resultOf,
  titleOf,
  visible,
} from './pages/page-text.js';
import { tabRefusal, TabRefusalsService } from './tab-refusals.service.js';

interface Place {
  readonly tab: string;
  readonly method: string;
  /** The tab as it is known before the call. */
  readonly page: Tab | undefined;
  /** The tool of its page that the call is of, if it is of one. */
  readonly tool: PageTool | undefined;
}

type Places = readonly [Place, ...Place[]];

interface PageCall {
  /** The call goes to the first of these places whose tab is still open. */
  readonly places: Places;
  readonly params: unknown;
  readonly timeoutMs: number;
}

interface Arrival extends Pick<PageCall, 'params'>, Pick<ToolRun, 'signal'> {
  /** Whether the person has allowed the call by a passkey. */
  readonly isConfirmed: boolean;
}

interface CheckedTool extends Pick<TabTools, 'tools'> {
  /** Undefined for a method that is no tool of the page. */
  readonly tool: PageTool | undefined;
}

/** How often a call is checked again because its page changed what it offers meanwhile. */
const MAX_ROUNDS = 5;

@Injectable()
export class PageCallsService {
  constructor(
    private readonly tabs: TabsService,
    private readonly screening: ScreeningService,
    private readonly refusals: TabRefusalsService,
    private readonly checks: SchemaChecks,
    private readonly turns: AccountTurns,
  ) {}

  /**
   * The page's answer. Method and params are screened and charged once, and only when a tab is known to be open.
   * @throws ToolError
   */
  async call(
    { places, params, timeoutMs }: PageCall,
    caller: McpCaller,
    { signal, progress, notes = {}, expectAllowed }: ToolRun,
  ): Promise<PageResult> {
    const { user, app } = caller;
    const [{ method }] = places;
    const content = { userId: user.id, app, value: [method, params] };
    let screened: Promise<void> | undefined;
    const screen = () => (screened ??= this.screening.checkJson(content, signal));
    const ask = async (left: Places, rounds = MAX_ROUNDS): Promise<PageResult> => {
      const [first, next, ...others] = left;
      const { page, tool, ...place } = first;
      if (tool) Object.assign(notes, { name: tool.name, title: titleOf(tool) });
      notes.page = page ? pageOf(page) : null;
      let checked: PageTool | undefined;
      const answer = this.tabs.call(
        user.id,
        {
          ...place,
          app,
          params,
          timeoutMs,
          signal,
          onProgress: (said) =>
            progress(said.progress, said.total, said.message && visible(said.message)),
        },
        async () => {
          await expectAllowed?.();
          await screen();
          const isConfirmed = notes.approved === 'passkey';
          const found = await this.expectUnchanged(user.id, first, { params, signal, isConfirmed });
          checked = found.tool;
          await expectAllowed?.();
          return found.tools;
        },
      );
      try {
        const answered = await this.refusals.tell(answer, { caller, ...place });
        // Pages may answer many calls at once, each with all that a frame holds.
        await this.turns.take(user.id);
        const result = resultOf(answered);
        await this.expectFit(user.id, checked, result);
        return result;
      } catch (error) {
        if (rounds > 0 && isOf(error, OutdatedCallError)) return ask(left, rounds - 1);
        if (!next || !isOfClosedTab(error)) throw error;
        return ask([next, ...others]);
      }
    };
    return ask(places);
  }

  /** What would reach no page costs no check by its schema. @throws ToolError */
  async expectSize(params: unknown): Promise<void> {
    return asToolError((async () => assertFits(params))(), tabRefusal);
  }

  /** Params of `call_tab` for a tool of the page. @throws ToolError */
  async expectFitting(userId: string, tool: PageTool, params: unknown): Promise<void> {
    await this.expectSize(params);
    const mismatch = await this.checks.mismatch(userId, ownSchemaOf(tool), params);
    if (mismatch !== undefined) throw badArguments(`These params do not fit: ${mismatch}.`);
  }

  /** Contents are not checked: they are for models, and `outputSchema` is for programs. */
  private async expectFit(userId: string, tool: PageTool | undefined, result: PageResult) {
    if (!tool?.outputSchema || 'content' in result) return;
    const mismatch = await this.checks.mismatch(userId, tool.outputSchema, result.value);
    if (mismatch === undefined) return;
    const what = mismatch.replace(/^the arguments take/, 'it takes');
    throw new ToolError(
      `The page did this, but its result does not fit its outputSchema: ${what}.`,
    );
  }

  /**
   * Its page may offer the tool, say that it has consequences, change its schema or withdraw it only since the call was
   * let in, and again while the call is checked by the new schema. A page that replaces a tool may withdraw it first.
   * Returns the tool as it is by then, and all that the page offers with it.
   */
  private async expectUnchanged(
    userId: string,
    { tab, method, tool: checked }: Place,
    { params, signal, isConfirmed }: Arrival,
  ): Promise<CheckedTool> {
    let fitting = checked && ownSchemaOf(checked);
    for (;;) {
      if (signal.aborted) throw new CallCancelledError();
      const found = await this.tabs.find(userId, tab);
      if (!found) throw new UnknownTabError();
      const { tools } = found;
      const tool = tools.find(({ name }) => name === method);
      if (fitting && !tool) throw new ToolError(WITHDRAWN, { reason: 'tab gone' });
      if (!tool) return { tool, tools };
      if (!isConfirmed && isConsequential(tool))
        throw new ToolError(CHANGED_MEANWHILE, { reason: 'no permission' });
      const schema = ownSchemaOf(tool);
      if (isDeepStrictEqual(schema, fitting)) return { tool, tools };
      const mismatch = await this.checks.mismatch(userId, schema, params);
      if (mismatch !== undefined) {
        throw badArguments(
          `The page has just changed this tool, and these arguments do not fit: ${mismatch}.`,
        );
      }
      fitting = schema;
    }
  }
}

const WITHDRAWN =
  'The page has just withdrawn this tool, so nothing was done; call list_tabs for what is offered now.';

const CHANGED_MEANWHILE =
  'The page has just said that this needs a yes of the user each time, so nothing was done. Make the same call again, and they are asked.';

/** Whether the call was not made because no such tab is open any more. */
export const isOfClosedTab = (error: unknown): boolean => isOf(error, UnknownTabError);

const isOf = (error: unknown, cause: new () => Error) =>
  error instanceof ToolError && error.cause instanceof cause;
