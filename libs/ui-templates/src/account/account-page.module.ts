import { Module, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { ExpressAdapter } from '@nestjs/platform-express';
import type { Request, Response } from 'express';
import { methodNotAllowed } from '#libs/accounts';
import { AccountPageController, ConfigurableModuleClass } from './account-page.controller.js';
import { AccountPages, BuiltInAccountPages } from './account-pages.js';

/**
 * The page at `/svc/account`, where people care for their account, or sign in and sign up without any
 * app; `/` leads to it where no other route answers. What it does is asked for under `/svc/auth` and `/svc/me`.
 */
@Module({
  controllers: [AccountPageController],
  providers: [{ provide: AccountPages, useClass: BuiltInAccountPages }],
})
export class AccountPageModule extends ConfigurableModuleClass implements OnModuleInit {
  constructor(private readonly host: HttpAdapterHost<ExpressAdapter>) {
    super();
  }

  /** After all controllers: a controller that serves `/` takes precedence. */
  onModuleInit() {
    this.host.httpAdapter.all('/', ({ method }: Request, response: Response) => {
      if (method !== 'GET' && method !== 'HEAD') throw methodNotAllowed(['GET', 'HEAD']);
      response.status(302).set('Location', '/svc/account').end();
    });
  }
}
