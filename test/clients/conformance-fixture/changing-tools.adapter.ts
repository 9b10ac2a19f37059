import { Injectable } from '@nestjs/common';
import { AccountTools, McpTool } from '#libs/oauth';
import { tool } from './fixture-options.js';

/** Tools of accounts, of which there are none, however often they change. */
@Injectable()
export class ChangingTools extends AccountTools {
  readonly prefix = 'page_';
  private readonly listeners = new Set<() => void>();

  async list() {
    return [];
  }

  async find() {
    return undefined;
  }

  onChanged(_userId: string, listener: () => void) {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  @McpTool(tool('test_trigger_tool_change'))
  change() {
    for (const listener of this.listeners) listener();
    return 'changed';
  }
}
