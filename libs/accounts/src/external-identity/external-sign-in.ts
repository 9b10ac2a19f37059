import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { RefusalError } from '../http/refusal.error.js';
import { SecurityEventsService } from '../security-event/security-event.service.js';
import { BrowserSessionsService } from '../session/session.service.js';
import type { User } from '../user/user.js';
import { ReturnAddressService } from '../session/return-address.service.js';
import { ExternalAccountsService, type ExternalPerson } from './external-account.service.js';

/**
 * Signs people in whom a team's module has identified elsewhere, such as by OpenID Connect or SAML. The module
 * proves who the person is, and that this browser asked for it (`state`, `nonce` and PKCE); nothing here does.
 */
@Injectable()
export class ExternalSignIn {
  constructor(
    private readonly accounts: ExternalAccountsService,
    private readonly browserSessions: BrowserSessionsService,
    private readonly returns: ReturnAddressService,
    private readonly events: SecurityEventsService,
  ) {}

  /**
   * Signs the person in and redirects the browser to the page it came from: the sign-in page of the last hour, such
   * as the one of an authorization request, or what `returnTo` kept; otherwise to `/`.
   *
   * Returns the account, and whether it is new; the response is sent then.
   *
   * The account is the one that is linked to `issuer` and `subject`, texts of 1 to 255 characters that are compared
   * exactly; without one it is created with `displayName`, as `AccountPolicy` and `SIGN_UP` allow. The session that
   * the browser had ends, whatever its account.
   *
   * Call it once the provider's answer is verified, in answer to a GET, with the response still unsent: a browser
   * sends no cookies with a form that another site posts. Throws RefusalError: 400 for an identity that cannot be
   * stored, 403 for a disabled account or a person who may not have one, 503 when the account has just been changed.
   */
  async begin(
    request: Request,
    response: Response,
    person: ExternalPerson,
  ): Promise<{ readonly user: User; readonly isNew: boolean }> {
    const context = await this.browserSessions.contextOfReturn(request);
    const { origin } = context;
    const detail = `by ${person.issuer}`;
    try {
      // 1. The account of the identity, which may be new.
      const admission = { origin, signUpApplies: true };
      const { user, isNew } = await this.accounts.findOrCreate(person, admission);
      if (isNew) this.events.emit({ type: 'sign-up', userId: user.id, origin, detail });
      // 2. A session in place of the one that the browser had.
      const { token, endedSessions } = await this.accounts.startSession(user, person, context);
      this.events.emit({ type: 'sign-in', userId: user.id, origin, detail, endedSessions });
      // 3. Its cookie, and the page that the person came from.
      const address = await this.returns.take(request, response);
      this.browserSessions.give(request, response, token);
      redirect(response, address ?? '/');
      return { user, isNew };
    } catch (error) {
      this.events.emitRefusal('sign-in-failed', error, origin);
      throw error;
    }
  }

  /**
   * Keeps the path that `begin` returns to, with its query, for an hour in this browser: for a team's own page with
   * a link to sign in. Throws RefusalError 400 for a path that does not lead to this service.
   */
  async returnTo(request: Request, response: Response, path: string): Promise<void> {
    if (await this.returns.keep(request, response, path)) return;
    throw new RefusalError(400, 'this address cannot be returned to; go back and try again');
  }
}

const redirect = (response: Response, location: string) =>
  response
    .status(302)
    .set({ Location: location, 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' })
    .end();
