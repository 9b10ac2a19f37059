import { Controller, Get, Logger, Post, Req, Res, UseGuards } from '@nestjs/common';
import type { Request, Response } from 'express';
import {
  CurrentUser,
  ExternalIdentities,
  ExternalSignIn,
  RefusalError,
  SessionGuard,
  type User,
} from 'gatehouse/accounts';
import { CompanyProviderService, type SignInCheck } from './company-provider.service.js';
import { GreetingsService } from './greetings.service.js';

const CALLBACK = '/acme/sign-in/callback';
const MINUTES_MS = 60_000;

/** Signs people in by the company's OpenID provider, and links their account here to the one there. */
@Controller('acme/sign-in')
export class CompanySignInController {
  private readonly logger = new Logger(CompanySignInController.name);

  constructor(
    private readonly provider: CompanyProviderService,
    private readonly signIn: ExternalSignIn,
    private readonly identities: ExternalIdentities,
    private readonly greetings: GreetingsService,
  ) {}

  /** Sends the browser to the provider, with a cookie that only this browser has. */
  @Get()
  async begin(@Req() request: Request, @Res() response: Response) {
    await this.leave(request, response);
  }

  /** Whether the company opens the account of a signed-in person: a page of the site offers to link it otherwise. */
  @Get('link')
  @UseGuards(SessionGuard)
  async readLink(@CurrentUser() user: User) {
    const identities = await this.identities.identitiesOf(user.id);
    return { isLinked: identities.some(({ issuer }) => issuer === this.provider.issuer) };
  }

  /** For a signed-in person, by a form of a page of the site: from then on the company opens this account. */
  @Post('link')
  async beginLink(@Req() request: Request, @Res() response: Response) {
    await this.leave(request, response, await this.identities.beginLink(request));
  }

  private async leave(request: Request, response: Response, begun = '') {
    const check = this.provider.newCheck();
    const address = await this.provider
      .addressFor(check, here(request, CALLBACK).href)
      .catch((error: unknown) =>
        this.refuse(error, 502, 'the company cannot be reached; try again'),
      );
    const { state, nonce, verifier } = check;
    response.cookie(cookieName(request), `${state}.${nonce}.${verifier}.${begun}`, {
      ...cookieOptions(request),
      maxAge: 10 * MINUTES_MS,
    });
    response.redirect(302, address);
  }

  /** The provider's answer: refused unless this browser asked for it. The first sign-in is a greeting. */
  @Get('callback')
  async finish(@Req() request: Request, @Res() response: Response) {
    const check = checkOf(request);
    if (!check) throw new RefusalError(400, 'this sign-in was not begun here; start again');
    response.clearCookie(cookieName(request), cookieOptions(request));
    const { searchParams } = here(request, request.originalUrl);
    const person = await this.provider
      .identify(searchParams, check, here(request, CALLBACK).href)
      .catch((error: unknown) => this.refuse(error, 400, 'this sign-in failed; start again'));
    if (check.begun !== '') {
      await this.identities.link(request, check.begun, person);
      return response.redirect(302, '/svc/account');
    }
    const { user, isNew } = await this.signIn.begin(request, response, person);
    if (isNew) await this.greetings.add(user.id);
  }

  private refuse(error: unknown, status: number, message: string): never {
    this.logger.warn(`sign-in at the company: ${String(error)}`);
    throw new RefusalError(status, message);
  }
}

/** An address of this service; the service has checked the host of the request. */
const here = ({ protocol, host }: Request, path: string) => new URL(path, `${protocol}://${host}`);

/** Only this host can set a cookie with that prefix, and only on https. */
const cookieName = ({ secure }: Request) => `${secure ? '__Host-' : ''}acme-sign-in`;

const cookieOptions = ({ secure }: Request) =>
  ({ httpOnly: true, sameSite: 'lax', secure, path: '/' }) as const;

function checkOf(request: Request): (SignInCheck & { readonly begun: string }) | undefined {
  const name = `${cookieName(request)}=`;
  const cookies = (request.headers.cookie ?? '').split('; ');
  const value = cookies.find((pair) => pair.startsWith(name))?.slice(name.length) ?? '';
  const [, state, nonce, verifier, begun = ''] =
    /^([\w-]+)\.([\w-]+)\.([\w-]+)\.([\w.-]*)$/.exec(value) ?? [];
  if (!state || !nonce || !verifier) return undefined;
  return { state, nonce, verifier, begun };
}
