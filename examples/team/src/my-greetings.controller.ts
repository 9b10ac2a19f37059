import { Controller, Get, Put, UseGuards } from '@nestjs/common';
import { IsInt, Max, Min } from 'class-validator';
import { CurrentUser, JsonBody, SessionGuard, type User } from 'gatehouse/accounts';
import { GreetingsService } from './greetings.service.js';

export class FirstCount {
  @IsInt()
  @Min(0)
  @Max(1_000_000)
  count!: number;
}

/** For the site's own pages. */
@Controller('acme/me/greetings')
@UseGuards(SessionGuard)
export class MyGreetingsController {
  constructor(private readonly greetings: GreetingsService) {}

  @Get()
  async read(@CurrentUser() user: User) {
    return { count: await this.greetings.countOf(user.id) };
  }

  @Put()
  async startFrom(@CurrentUser() user: User, @JsonBody() { count }: FirstCount) {
    await this.greetings.startFrom(user.id, count);
    return { count };
  }
}
