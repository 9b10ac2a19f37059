import { Injectable } from '@nestjs/common';
import { BudgetExhaustedError, BudgetService } from 'gatehouse/budget';
import { type McpCaller, McpTool, ToolError } from 'gatehouse/mcp';
import { GreetingsService } from './greetings.service.js';

const PRICE = 5;

/** A tool of a team's own: a new scope, a schema, and a price. */
@Injectable()
export class GreetingTool {
  constructor(
    private readonly budgets: BudgetService,
    private readonly greetings: GreetingsService,
  ) {}

  @McpTool({
    name: 'acme_greet',
    title: 'Greet',
    description: 'Greets the user in a language; costs 5 credits.',
    scope: 'acme:greet',
    inputSchema: {
      type: 'object',
      properties: { language: { type: 'string', enum: ['en', 'fr'] } },
      required: ['language'],
      additionalProperties: false,
    },
    outputSchema: {
      type: 'object',
      properties: { greeting: { type: 'string' } },
      required: ['greeting'],
    },
    annotations: { readOnlyHint: true, openWorldHint: false },
  })
  async greet({ language }: { language: 'en' | 'fr' }, { user }: McpCaller) {
    const reservation = await this.budgets.reserve(user.id, PRICE).catch((cause: unknown) => {
      if (!(cause instanceof BudgetExhaustedError)) throw cause;
      const reason = 'no credits';
      throw new ToolError('The budget does not cover a greeting today.', { cause, reason });
    });
    await this.greetings.add(user.id);
    await this.budgets.settle(reservation, PRICE);
    return { greeting: `${language === 'fr' ? 'Bonjour' : 'Hello'}, ${user.displayName}` };
  }
}
