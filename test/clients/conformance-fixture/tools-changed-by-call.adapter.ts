import { Injectable } from '@nestjs/common';
import { McpTool } from '#libs/oauth';
import { ChangingTools } from '../../support/changing-tools.js';
import { tool } from './fixture-options.js';

/** A call of a tool says that the tools of accounts changed. */
@Injectable()
export class ToolsChangedByCall extends ChangingTools {
  @McpTool(tool('test_trigger_tool_change'))
  change() {
    for (const listener of this.listeners) listener();
    return 'changed';
  }
}
