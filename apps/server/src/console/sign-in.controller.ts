import { Controller, Inject, Post, Req, Res } from '@nestjs/common';
import { getStorageToken } from '@nestjs/throttler';
import type { Request, Response } from 'express';
import {
  AllowRoutedMethods,
  currentVisitor,
  SecurityEventsService,
  tooManyRequests,
  VisitorStorage,
} from '#libs/accounts';
import { Form, Open, setCookie, Viewing } from './console.guard.js';
import { signInPage, type SignedInView, type View } from './console-page.js';
import { send } from './send.js';
import { ConsoleSessions } from './session.service.js';

const MINUTE_MS = 60_000;
const MAX_WRONG = 5;

/** A page of the console, as browsers write its address; any other address leads to the first one. */
const pageOf = (address: string | null) =>
  address !== null &&
  /^\/console(?!\/sign-)(?:[/?]|$)/.test(address) &&
  URL.parse(address, 'http://localhost')?.href === `http://localhost${address}`
    ? address
    : '/console';

@Controller('console')
@AllowRoutedMethods()
export class SignInController {
  constructor(
    private readonly sessions: ConsoleSessions,
    private readonly events: SecurityEventsService,
    @Inject(getStorageToken()) private readonly tries: VisitorStorage,
  ) {}

  @Post('sign-in')
  @Open(true)
  async signIn(
    @Viewing() view: View,
    @Form() form: URLSearchParams,
    @Req() request: Request,
    @Res() response: Response,
  ) {
    const to = pageOf(form.get('to'));
    // Counted before it is looked at, so that parallel tries cannot be more.
    const tries = [`console:${currentVisitor()?.network ?? ''}`, MINUTE_MS, MAX_WRONG] as const;
    const { isBlocked } = await this.tries.increment(...tries);
    if (isBlocked) throw tooManyRequests(MINUTE_MS);
    const cookie = await this.sessions.begin(form.get('name') ?? '', form.get('value') ?? '');
    if (cookie !== undefined) {
      await this.tries.giveBack(...tries);
      setCookie(request, response, cookie);
      return response.redirect(303, to);
    }
    this.events.emit({ type: 'admin-token-refused', userId: null, origin: '' });
    const fault = 'No token of this service has this name and value.';
    return send(response, signInPage(view, to, fault, 401));
  }

  /** Ends the session on every replica. */
  @Post('sign-out')
  async signOut(
    @Viewing() { session }: SignedInView,
    @Req() request: Request,
    @Res() response: Response,
  ) {
    await this.sessions.end(session);
    setCookie(request, response, '');
    response.redirect(303, '/console');
  }
}
