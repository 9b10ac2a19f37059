import {
  Controller,
  Get,
  Inject,
  Injectable,
  Module,
  type OnModuleInit,
  Req,
  Res,
} from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { ExpressAdapter } from '@nestjs/platform-express';
import type { Request, Response } from 'express';
import {
  AccountPolicy,
  AllowRoutedMethods,
  BrowserSessionsService,
  methodNotAllowed,
  ownOriginOf,
  ReturnAddressService,
  type Session,
} from '#libs/accounts';
import { defineModule, epochSeconds } from '#libs/platform';
import type { Page, SiteContext } from '../layout/page.js';
import type { Catalogue } from '../locale/catalogue.js';
import { wantedLocales } from '../locale/locale.js';
import type { AccountTexts } from '../texts/account.en.js';
import { builtInAccountTexts, builtInPageLanguages } from '../texts/languages.js';
import type { PageTexts } from '../texts/pages.en.js';
import type { AccountContext, GrantedAccess } from './account-page.js';
import { AccountPages, BuiltInAccountPages } from './account-pages.js';
import type { AccountSiteContext } from './account-texts.js';

interface AccountPageOptions extends Pick<SiteContext, 'serviceName' | 'brand' | 'signInLinks'> {
  /** Those of the pages; those of the lib by default. */
  readonly languages?: Catalogue<PageTexts> | undefined;
  /** In each of these languages; those of the lib by default. */
  readonly texts?: Catalogue<AccountTexts> | undefined;
  readonly access: GrantedAccess;
}

/** `imports` has to bring AccountsModule; `providers` may replace AccountPages. */
const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN } =
  defineModule<AccountPageOptions>('AccountPage');

/** What all pages of the account have in common, for those that another module serves below `/svc/account`. */
@Injectable()
export class AccountSiteService {
  constructor(
    @Inject(MODULE_OPTIONS_TOKEN) private readonly options: AccountPageOptions,
    private readonly returns: ReturnAddressService,
    private readonly pages: AccountPages,
    private readonly accounts: AccountPolicy,
  ) {}

  contextOf(request: Request): AccountSiteContext {
    const { languages = builtInPageLanguages, texts = builtInAccountTexts } = this.options;
    const language = languages.choose(wantedLocales(wishesOf(request)));
    return {
      language,
      texts: texts.in(language),
      serviceName: this.options.serviceName,
      origin: ownOriginOf(request).origin,
      signUp: this.accounts.signUp,
      brand: this.options.brand,
      signInLinks: this.options.signInLinks,
    };
  }

  /** People return to the page from another way to sign in, which a signed-in person may need to sign in again. */
  async keepAddress(request: Request, response: Response): Promise<void> {
    if (this.options.signInLinks) await this.returns.keep(request, response, request.originalUrl);
  }

  /** The page to sign in or sign up, whose script then loads the address again. */
  signedOut(request: Request): Page {
    return this.pages.signedOut(this.contextOf(request));
  }
}

/** Serves the account page to a signed-in user, otherwise the page to sign in or sign up; and the recovery page. */
@Controller('svc/account')
@AllowRoutedMethods({ also: ['HEAD'] })
class AccountPageController {
  constructor(
    @Inject(MODULE_OPTIONS_TOKEN) private readonly options: AccountPageOptions,
    private readonly sessions: BrowserSessionsService,
    private readonly pages: AccountPages,
    private readonly site: AccountSiteService,
  ) {}

  @Get()
  async show(@Req() request: Request, @Res() response: Response) {
    const session = await this.sessions.findInTurn(request, response);
    await this.site.keepAddress(request, response);
    if (session) send(response, this.pages.account(this.accountOf(request, session)));
    else send(response, this.site.signedOut(request));
  }

  @Get('recover')
  async recover(@Req() request: Request, @Res() response: Response) {
    const userName = (await this.sessions.findInTurn(request, response))?.user.displayName;
    send(response, this.pages.recover({ ...this.site.contextOf(request), userName }));
  }

  private accountOf(request: Request, { user, beganBy, createdAt }: Session): AccountContext {
    const recoveredAt = beganBy === 'recovery' ? epochSeconds(createdAt) : undefined;
    const { access, signInLinks } = this.options;
    const context = { ...this.site.contextOf(request), user, recoveredAt, access };
    // Only a session that began there can be made fresh there.
    return { ...context, signInLinks: beganBy === 'external' ? signInLinks : undefined };
  }
}

const wishesOf = ({ headers, url }: Request) => ({
  acceptLanguage: headers['accept-language'],
  uiLocales: new URLSearchParams(url.split('?')[1]).get('ui_locales'),
});

const send = (response: Response, { status, headers, html }: Page) =>
  void response.status(status).set(headers).send(html);

/**
 * The page at `/svc/account`, where people manage their account, or sign in and sign up without an app; `/` redirects
 * to it where no other route answers. Its script uses the routes under `/svc/auth` and `/svc/me`.
 */
@Module({
  controllers: [AccountPageController],
  providers: [AccountSiteService, { provide: AccountPages, useClass: BuiltInAccountPages }],
  exports: [AccountSiteService],
})
export class AccountPageModule extends ConfigurableModuleClass implements OnModuleInit {
  constructor(private readonly host: HttpAdapterHost<ExpressAdapter>) {
    super();
  }

  /** After all controllers: a controller that serves `/` takes precedence. */
  onModuleInit() {
    this.redirect('/', 302, () => '/svc/account');
    for (const path of ['/svc/account', '/svc/account/recover']) {
      this.redirect(`${path}/`, 301, ({ originalUrl }) => originalUrl.replace(/^[^?]*/, path));
    }
  }

  private redirect(from: string, status: 301 | 302, locationOf: (request: Request) => string) {
    this.host.httpAdapter.all(from, (request: Request, response: Response) => {
      const isRead = request.method === 'GET' || request.method === 'HEAD';
      if (!isRead) throw methodNotAllowed(['GET', 'HEAD']);
      response.status(status).set('Location', locationOf(request)).end();
    });
  }
}
