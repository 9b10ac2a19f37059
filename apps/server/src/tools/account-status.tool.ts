import { Injectable } from '@nestjs/common';
import { BudgetService } from '#libs/budget';
import { type McpCaller, McpTool, type ToolRun } from '#libs/mcp';

const USER = {
  type: 'object',
  properties: { id: { type: 'string' }, displayName: { type: 'string' } },
  required: ['id', 'displayName'],
} as const;

const BUDGET = {
  description: 'Credits of the current UTC day; null when they cannot be read right now.',
  anyOf: [
    {
      type: 'object',
      properties: {
        used: { type: 'integer' },
        limit: { type: 'integer' },
        resetsAt: { type: 'string', format: 'date-time' },
      },
      required: ['used', 'limit', 'resetsAt'],
    },
    { type: 'null' },
  ],
} as const;

@Injectable()
export class AccountStatusTool {
  constructor(private readonly budgets: BudgetService) {}

  @McpTool({
    name: 'account_status',
    title: 'Account status',
    description: "Tells the user's name and today's budget in credits: used, limit, reset time.",
    scope: 'account:read',
    inputSchema: { type: 'object', properties: {} },
    outputSchema: {
      type: 'object',
      properties: { user: USER, budget: BUDGET },
      required: ['user', 'budget'],
    },
    annotations: { readOnlyHint: true, openWorldHint: false },
  })
  async accountStatus(_input: object, { user }: McpCaller, { expectAllowed }: ToolRun) {
    const { id, displayName } = user;
    const budget = (await this.budgets.find(id)) ?? null;
    await expectAllowed?.();
    return { user: { id, displayName }, budget };
  }
}
