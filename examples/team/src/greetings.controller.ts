import { Controller, Get } from '@nestjs/common';
import { Caller, type McpCaller } from 'gatehouse/mcp';
import { RequireScope } from 'gatehouse/oauth';
import { GreetingsService } from './greetings.service.js';

/** For apps that people connected. */
@Controller('acme/greetings')
export class GreetingsController {
  constructor(private readonly greetings: GreetingsService) {}

  @Get()
  @RequireScope('acme:greet')
  async read(@Caller() { user, app }: McpCaller) {
    return { name: user.displayName, app, count: await this.greetings.countOf(user.id) };
  }
}
