import {
  type DynamicModule,
  type MiddlewareConsumer,
  Module,
  type NestModule,
} from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import type { BuiltIn } from 'gatehouse';
import { UserDeletionService } from 'gatehouse/accounts';
import { BirthdayPrompt } from './birthday.prompt.js';
import { CardTool } from './card.tool.js';
import { CatalogueResource } from './catalogue.resource.js';
import { ForgetTool } from './forget.tool.js';
import { GreetingEntity } from './greeting.entity.js';
import { GreetingTool } from './greeting.tool.js';
import { GreetingsController } from './greetings.controller.js';
import { GreetingsService } from './greetings.service.js';
import { MyGreetingsController } from './my-greetings.controller.js';
import { OrderTool } from './order.tool.js';
import { RequestHostMiddleware } from './request-host.middleware.js';
import { SignInAlertsService } from './sign-in-alerts.service.js';
import { StockController } from './stock.controller.js';
import { StockService } from './stock.service.js';

/** What the team adds, and deletes with an account; it imports the built-in modules whose services it injects. */
@Module({})
export class AcmeModule implements NestModule {
  static forRoot({ accounts, budget, metrics, oauth }: BuiltIn): DynamicModule {
    return {
      module: AcmeModule,
      imports: [accounts, budget, metrics, oauth, TypeOrmModule.forFeature([GreetingEntity])],
      controllers: [GreetingsController, MyGreetingsController, StockController],
      providers: [
        BirthdayPrompt,
        CardTool,
        CatalogueResource,
        ForgetTool,
        GreetingTool,
        GreetingsService,
        OrderTool,
        SignInAlertsService,
        StockService,
      ],
    };
  }

  constructor(deletions: UserDeletionService) {
    deletions.before(async (manager, userId) => {
      await manager.delete(GreetingEntity, { userId });
    });
  }

  configure(consumer: MiddlewareConsumer) {
    consumer.apply(RequestHostMiddleware).forRoutes('svc/oauth/register', 'svc/oauth/authorize');
  }
}
