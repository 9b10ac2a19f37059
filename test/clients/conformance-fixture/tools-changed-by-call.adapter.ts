import { Injectable } from '@nestjs/common';
import { McpTool } from '#libs/mcp';
import { ChangingTools } from '../../support/changing-tools.js';
import { tool } from './fixture-options.js';

/** Lets the call of a tool announce that the account's tools changed. */
@Injectable()
export class ToolsChangedByCall extends ChangingTools {
  @McpTool(tool('test_trigger_tool_change'))
  change() {
    for (const listener of this.listeners) listener();
    return 'changed';
  }
}
