import { Module } from '@nestjs/common';
import { AccountPageController } from './account-page.controller.js';
import { ConfigurableModuleClass } from './account-page.module-definition.js';
import { AccountPages, BuiltInAccountPages } from './account-pages.js';
import { FrontPageService } from './front-page.service.js';

/**
 * The page at `/svc/account`, where people care for their account, or sign in and sign up without any
 * app; `/` leads to it where no other route answers. What it does is asked for under `/svc/auth` and `/svc/me`.
 */
@Module({
  controllers: [AccountPageController],
  providers: [{ provide: AccountPages, useClass: BuiltInAccountPages }, FrontPageService],
})
export class AccountPageModule extends ConfigurableModuleClass {}
