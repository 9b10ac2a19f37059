import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { DataSource } from 'typeorm';
import { RefusalError } from '../http/refusal.error.js';
import { SecurityEventsService } from '../security-event/security-event.service.js';
import { BrowserSessionsService, type SignInContext } from '../session/browser-sessions.service.js';
import { ReturnAddressService } from '../session/return-address.service.js';
import { SessionsService } from '../session/session.service.js';
import { SessionStore } from '../session/session.store.js';
import { hashSecret } from '../secret.js';
import type { User } from '../user/user.js';
import {
  ExternalAccountRefusal,
  ExternalAccountsService,
  type ExternalPerson,
} from './external-account.service.js';

/**
 * Signs people in whom a team's module has identified elsewhere, such as by OpenID Connect or SAML. The module
 * proves who the person is, and that this browser asked for it (`state`, `nonce` and PKCE); nothing here does.
 */
@Injectable()
export class ExternalSignIn {
  constructor(
    private readonly dataSource: DataSource,
    private readonly accounts: ExternalAccountsService,
    private readonly browserSessions: BrowserSessionsService,
    private readonly sessions: SessionsService,
    private readonly sessionStore: SessionStore,
    private readonly returns: ReturnAddressService,
    private readonly events: SecurityEventsService,
  ) {}

  /**
   * Signs the person in and redirects the browser to the page it came from: the sign-in page of the last hour, such
   * as the one of an authorization request, or what `returnTo` kept; otherwise to `/`.
   *
   * The account is the one that is linked to `issuer` and `subject`, texts of 1 to 255 characters that are compared
   * exactly; without one it is created with `displayName`, as `AccountPolicy` and `SIGN_UP` allow. The session that
   * the browser had ends, whichever account it was of.
   *
   * Call it once the provider's answer is verified, in answer to a GET, with the response still unsent: a browser
   * sends no cookies with a form that another site posts. Throws RefusalError: 400 for an identity that cannot be
   * stored, 403 for a disabled account or a person who may not have one, 409 and 503 when the account has just been
   * changed.
   */
  async begin(request: Request, response: Response, person: ExternalPerson): Promise<void> {
    const context = await this.browserSessions.contextOfReturn(request);
    const { issuer } = person;
    const facts = { detail: `by ${issuer}`, facts: { issuer } };
    // 1. The account of the identity, and a session in place of the one that the browser had.
    const { user, isNew, token, endedSessions } = await this.signIn(context, person).catch(
      (error: unknown) => this.tellRefusal(error, context),
    );
    // 2. The events, of which the last one closes what the ended sessions held open.
    const about = { userId: user.id, origin: context.origin, ...facts };
    if (isNew) this.events.emit({ type: 'sign-up', ...about });
    this.events.emit({ type: 'sign-in', ...about, endedSessions });
    // 3. The cookie, and the page that the person came from.
    const address = await this.returns.take(request, response);
    this.browserSessions.give(request, response, token);
    response
      .status(302)
      .set({
        Location: address ?? '/',
        'Cache-Control': 'no-store',
        'Referrer-Policy': 'no-referrer',
      })
      .end();
  }

  /**
   * Keeps the path that `begin` returns to, with its query, for an hour in this browser: for a team's own page with
   * a link to sign in. Throws RefusalError 400 for a path that does not lead to this service.
   */
  async returnTo(request: Request, response: Response, path: string): Promise<void> {
    if (await this.returns.keep(request, response, path)) return;
    throw new RefusalError(400, 'this address cannot be returned to; go back and try again');
  }

  private async signIn(context: SignInContext, person: ExternalPerson) {
    const { origin, carried } = context;
    const { user, isNew } = await this.accounts.findOrCreate(person, {
      origin,
      signUpApplies: true,
    });
    const session = { ...context, userId: user.id, began: { by: 'external' } } as const;
    const token = await this.start(user, session);
    const surplus = await this.sessionStore.endBeyond(user, { tokenHash: hashSecret(token) });
    return { user, isNew, token, endedSessions: carried ? [carried, ...surplus] : surplus };
  }

  private async start(user: User, session: Parameters<SessionsService['start']>[1]) {
    try {
      return await this.dataSource.transaction((manager) => this.sessions.start(manager, session));
    } catch (error) {
      throw error instanceof RefusalError ? new ExternalAccountRefusal(user.id, error) : error;
    }
  }

  private tellRefusal(error: unknown, { origin }: SignInContext): never {
    if (error instanceof RefusalError && error.status < 500) {
      const userId = error instanceof ExternalAccountRefusal ? error.userId : null;
      this.events.emit({ type: 'sign-in-failed', userId, origin, detail: error.message });
    }
    throw error;
  }
}
