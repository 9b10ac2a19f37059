import { Inject, Injectable } from '@nestjs/common';
import { SecurityEventsService, type Session, SessionsService } from '#libs/accounts';
import { ConsentsService } from './consents.service.js';
import { OAUTH_OPTIONS, type OAuthOptions } from '../oauth.module-definition.js';
import { responseLocation } from './authorization-response.js';
import { AUTHORIZE_REFUSALS, authorizeRefusal } from './authorize-refusals.js';
import {
  AuthorizationCodeIssuerService,
  type ShownConsent,
} from './authorization-code-issuer.service.js';

/** Turns the answer to a consent form into the redirect to the client. */
@Injectable()
export class ConsentAnswersService {
  constructor(
    @Inject(OAUTH_OPTIONS) private readonly options: OAuthOptions,
    private readonly consents: ConsentsService,
    private readonly codes: AuthorizationCodeIssuerService,
    private readonly sessions: SessionsService,
    private readonly events: SecurityEventsService,
  ) {}

  /**
   * Throws RefusalError 400 for a handle that was used, has expired or was shown to another session,
   * and 401 when the session or its account ended before the answer was processed.
   */
  async answer(origin: string, session: Session, form: URLSearchParams): Promise<string> {
    const handle = form.get('handle') ?? '';
    const request = await this.consents.find(session, origin, handle);
    if (!request) throw await this.refused(origin, session, handle);
    const shown: ShownConsent = { origin, handle, request, session };
    const chosen = this.chosenScopes(form);
    if (form.get('decision') !== 'approve') return this.deny(shown, 'the user denied the request');
    if (chosen.length === 0) return this.deny(shown, 'the user allowed none of the scopes');
    return this.approve(shown, chosen);
  }

  /** An expired form is not suspicious, so no security event is emitted for it. */
  private async refused(origin: string, session: Session, handle: string) {
    if (await this.hasEnded(session)) return authorizeRefusal('sessionOver');
    const fault = await this.consents.whyRefused(session, handle);
    if (fault !== 'formExpired') {
      const detail = AUTHORIZE_REFUSALS[fault].happened;
      this.events.emit({ type: 'consent-refused', userId: session.user.id, origin, detail });
    }
    return authorizeRefusal(fault);
  }

  /**
   * Using up the handle and creating the grant is one atomic change, so a form can be submitted again if the
   * replica dies before it. A second answer, or one after sign-out, changes nothing.
   */
  private async approve(shown: ShownConsent, scopes: readonly string[]) {
    const { origin, request, session } = shown;
    const issued = await this.codes.issue(shown, scopes);
    if (!issued) throw await this.notTaken(session);
    const { code, grantId, replaced } = issued;
    const { clientId, app } = request;
    const about = { userId: session.user.id, clientId, app, origin };
    this.events.emit({ type: 'consent-approved', grantId, ...about });
    for (const id of replaced) this.events.emit({ type: 'grant-replaced', grantId: id, ...about });
    return responseLocation(origin, request, { code });
  }

  private async deny({ origin, handle, request, session }: ShownConsent, description: string) {
    if (!(await this.consents.take(session, handle))) throw await this.notTaken(session);
    const { clientId, app } = request;
    const userId = session.user.id;
    this.events.emit({ type: 'consent-denied', userId, clientId, app, origin });
    return responseLocation(origin, request, {
      error: 'access_denied',
      error_description: description,
    });
  }

  /** Why a handle that was found could not be used up. */
  private async notTaken(session: Session) {
    return authorizeRefusal((await this.hasEnded(session)) ? 'sessionOver' : 'answeredMeanwhile');
  }

  private async hasEnded({ tokenHash }: Session): Promise<boolean> {
    return (await this.sessions.expiryOf(tokenHash)) === undefined;
  }

  private chosenScopes(form: URLSearchParams) {
    const chosen = new Set(form.getAll('scope'));
    return this.options.scopes.map(({ name }) => name).filter((name) => chosen.has(name));
  }
}
