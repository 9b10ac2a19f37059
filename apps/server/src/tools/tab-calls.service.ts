import { Injectable } from '@nestjs/common';
import { ScreeningService } from '#libs/code-runner';
import type { McpCaller, ToolContent, ToolRun } from '#libs/oauth';
import { TabsService } from '#libs/tab-hub';
import { resultOf } from './pages/page-contents.js';
import { visible } from './pages/visible.js';
import { TabRefusalsService } from './tab-refusals.service.js';

/** The longest that anybody waits for the answer of a page. */
export const MAX_CALL_MS = 30_000;

/** What a page is asked for; its arguments fit already. */
interface TabCall {
  readonly tab: string;
  readonly method: string;
  readonly params: unknown;
  readonly timeoutMs: number;
}

/** Asks pages on behalf of apps. */
@Injectable()
export class TabCallsService {
  constructor(
    private readonly tabs: TabsService,
    private readonly screening: ScreeningService,
    private readonly refusals: TabRefusalsService,
  ) {}

  /**
   * What the page answers, as the result of a tool. Method and params are screened once it is certain that
   * the tab is open, and nothing is charged before.
   * @throws ToolError
   */
  async call(
    { tab, method, params, timeoutMs }: TabCall,
    caller: McpCaller,
    { signal, progress }: ToolRun,
  ): Promise<ToolContent | { value: unknown }> {
    const { user, app } = caller;
    const content = { userId: user.id, app, value: [method, params] };
    const screen = () => this.screening.checkJson(content, signal);
    const answer = this.tabs.call(
      user.id,
      {
        app,
        tab,
        method,
        params,
        timeoutMs,
        signal,
        onProgress: (said) =>
          progress(said.progress, said.total, said.message && visible(said.message)),
      },
      screen,
    );
    return resultOf(await this.refusals.tell(answer, { caller, tab, method }));
  }
}
