import { Module } from '@nestjs/common';
import { AccountTurnsModule, defineModule, SchemaChecksModule } from '#libs/platform';
import { CallTabTool } from './call-tab.tool.js';
import { ListTabsTool } from './list-tabs.tool.js';
import { OfferedToolsService } from './pages/offered-tools.service.js';
import { McpPageTools } from './pages/mcp-page-tools.js';
import { TabResources } from './pages/tab-resources.js';
import { SendMessageTool } from './send-message.tool.js';
import { PageCallsService } from './page-calls.service.js';
import { TabRefusalsService } from './tab-refusals.service.js';

/** Tools and resources of the user's open pages. `imports` has to bring TabHubModule and ScreeningModule. */
@Module({
  imports: [AccountTurnsModule, SchemaChecksModule],
  providers: [
    CallTabTool,
    ListTabsTool,
    McpPageTools,
    OfferedToolsService,
    SendMessageTool,
    PageCallsService,
    TabRefusalsService,
    TabResources,
  ],
  exports: [McpPageTools, TabResources],
})
export class TabToolsModule extends defineModule<object>('TabTools').ConfigurableModuleClass {}
