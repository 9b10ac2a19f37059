import { All, Controller, Inject, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { AccountPolicy, AllowedMethods, BrowserSessionsService, ownOriginOf } from '#libs/accounts';
import { ACCOUNT_PAGE_OPTIONS, type AccountPageOptions } from './account-page.module-definition.js';
import { AccountPages } from './account-pages.js';

/** The account page: the account of whoever is signed in, else sign in or create one. */
@Controller()
export class AccountPageController {
  constructor(
    @Inject(ACCOUNT_PAGE_OPTIONS) private readonly options: AccountPageOptions,
    private readonly sessions: BrowserSessionsService,
    private readonly pages: AccountPages,
    private readonly accounts: AccountPolicy,
  ) {}

  @All('svc/account')
  @AllowedMethods(['GET', 'HEAD'])
  async show(@Req() request: Request, @Res() response: Response) {
    const session = await this.sessions.find(request);
    const context = {
      serviceName: this.options.serviceName,
      origin: ownOriginOf(request).origin,
      signUp: this.accounts.signUp,
    };
    const page = session
      ? this.pages.account({ ...context, user: session.user })
      : this.pages.signedOut(context);
    response.status(page.status).set(page.headers).send(page.html);
  }
}
