import { BadRequestException, Controller, Get, Put, UseGuards } from '@nestjs/common';
import {
  CurrentUser,
  JsonBody,
  type JsonObject,
  SessionGuard,
  type User,
} from 'gatehouse/accounts';
import { GreetingsService } from './greetings.service.js';

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
  async startFrom(@CurrentUser() user: User, @JsonBody() { count }: JsonObject) {
    if (!isCount(count)) {
      throw new BadRequestException('count has to be a whole number from 0 to 1000000');
    }
    await this.greetings.startFrom(user.id, count);
    return { count };
  }
}

const isCount = (value: unknown): value is number =>
  Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 1_000_000;
