import { Injectable } from '@nestjs/common';
import { type McpCaller, McpTool } from 'gatehouse/mcp';
import { GreetingsService } from './greetings.service.js';

/** What cannot be undone: each call needs a yes of its person, who confirms it with a passkey. */
@Injectable()
export class ForgetTool {
  constructor(private readonly greetings: GreetingsService) {}

  @McpTool({
    name: 'acme_forget',
    title: 'Forget all greetings',
    description:
      'Forgets for good how often the user was greeted, and with it their credits as a regular.',
    scope: 'acme:greet',
    confirm: true,
    inputSchema: { type: 'object', properties: {}, additionalProperties: false },
    annotations: { destructiveHint: true, idempotentHint: true, openWorldHint: false },
  })
  async forget(_input: object, { user }: McpCaller) {
    return { forgotten: await this.greetings.forget(user.id) };
  }
}
