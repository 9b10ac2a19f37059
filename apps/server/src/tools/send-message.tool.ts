import { Injectable } from '@nestjs/common';
import { ScreeningService } from '#libs/code-runner';
import { ANY_JSON, type FromSchema, type McpCaller, McpTool, type ToolRun } from '#libs/mcp';
import { ALL_TABS, TabsService, UnknownTabError } from '#libs/tab-hub';
import { TAB_ID } from './tab-schema.js';
import { pageOf } from './pages/page-text.js';
import { TabRefusalsService } from './tab-refusals.service.js';

const INPUT = {
  type: 'object',
  properties: {
    tab: { ...TAB_ID, description: 'The id of a tab from list_tabs; left out: all tabs.' },
    body: {
      ...ANY_JSON,
      description: 'Any JSON value, at most 60 KiB; what it means is up to the page.',
    },
  },
  required: ['body'],
} as const;

type Input = FromSchema<typeof INPUT>;

@Injectable()
export class SendMessageTool {
  constructor(
    private readonly tabs: TabsService,
    private readonly screening: ScreeningService,
    private readonly refusals: TabRefusalsService,
  ) {}

  @McpTool({
    name: 'send_message',
    title: 'Send a message to tabs',
    description:
      'Sends any JSON to one open tab of the user, or to all when `tab` is left out, and tells to ' +
      'how many it was delivered; 0 means that none is open. There is no reply: use call_tab for ' +
      "that. It is screened first, for 1 credit of the user's daily budget per started 1,000 " +
      'characters of its JSON text.',
    scope: 'tabs:write',
    inputSchema: INPUT,
    outputSchema: {
      type: 'object',
      properties: { delivered: { type: 'integer', minimum: 0 } },
      required: ['delivered'],
    },
    annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
  })
  async sendMessage(input: Input, caller: McpCaller, run: ToolRun) {
    const sent = this.send(input, caller, run);
    return { delivered: await this.refusals.tell(sent, { caller, tab: input.tab }) };
  }

  private async send(
    { tab, body }: Input,
    { user, app }: McpCaller,
    { signal, notes = {}, expectAllowed }: ToolRun,
  ) {
    if (tab === ALL_TABS) throw new UnknownTabError();
    const found = tab === undefined ? undefined : await this.tabs.find(user.id, tab);
    notes.page = found ? pageOf(found.tab) : null;
    const screen = async () => {
      await expectAllowed?.();
      await this.screening.checkJson({ userId: user.id, app, value: body }, signal);
      await expectAllowed?.();
    };
    return this.tabs.send(user.id, { app, to: tab ?? ALL_TABS, body }, screen);
  }
}
