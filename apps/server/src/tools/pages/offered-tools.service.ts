import { Injectable } from '@nestjs/common';
import { ScreeningService } from '#libs/code-runner';
import type { McpCaller } from '#libs/oauth';
import { type PageTool, TabsService, type TabTools } from '#libs/tab-hub';

type Asker = Pick<McpCaller, 'user' | 'app'>;

/**
 * What pages offer, without those tools whose words the user's service does not allow. A list is screened
 * once, and again where that failed; for as long, nothing of it is offered.
 */
@Injectable()
export class OfferedToolsService {
  private readonly screened = new WeakMap<readonly PageTool[], Promise<readonly PageTool[]>>();

  constructor(
    private readonly tabs: TabsService,
    private readonly screening: ScreeningService,
  ) {}

  /** Of all open tabs, the oldest connection first; those whose page offers nothing too. */
  async list(asker: Asker): Promise<readonly TabTools[]> {
    const lists = await this.tabs.tools(asker.user.id);
    return Promise.all(
      lists.map(async ({ tab, tools, lastFrameAt }) => {
        return { tab, tools: await this.allowed(tools, asker), lastFrameAt };
      }),
    );
  }

  private allowed(tools: readonly PageTool[], asker: Asker): Promise<readonly PageTool[]> {
    if (tools.length === 0) return Promise.resolve(tools);
    const known = this.screened.get(tools);
    if (known) return known;
    const allowed = this.screen(tools, asker).catch(() => {
      this.screened.delete(tools);
      return [];
    });
    this.screened.set(tools, allowed);
    return allowed;
  }

  /** All at once, as nearly all may pass; one by one where they do not. */
  private async screen(tools: readonly PageTool[], { user, app }: Asker) {
    const allows = (value: unknown) => this.screening.allows({ userId: user.id, app, value });
    if (await allows(tools)) return tools;
    const answers = await Promise.all(tools.map((tool) => allows(tool)));
    return tools.filter((_, at) => answers[at]);
  }
}
