import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { BudgetService } from 'gatehouse/budget';
import { type McpCaller, McpTool, ToolError } from 'gatehouse/oauth';

const PRICE = 5;

/** A tool of a team's own: a new scope, a schema, and a price. */
@Injectable()
export class GreetingTool {
  constructor(
    private readonly budgets: BudgetService,
    private readonly dataSource: DataSource,
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
      throw new ToolError('The budget does not cover a greeting today.', { cause });
    });
    await this.count(user.id);
    await this.budgets.settle(reservation, PRICE);
    return { greeting: `${language === 'fr' ? 'Bonjour' : 'Hello'}, ${user.displayName}` };
  }

  private async count(userId: string) {
    await this.dataSource.query(
      `INSERT INTO acme_greetings (user_id, count) VALUES ($1, 1)
       ON CONFLICT (user_id) DO UPDATE SET count = acme_greetings.count + 1`,
      [userId],
    );
  }
}
