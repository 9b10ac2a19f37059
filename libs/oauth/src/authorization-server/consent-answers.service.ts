import { Inject, Injectable } from '@nestjs/common';
import { SecurityEventsService, type Session } from '#libs/accounts';
import { ConsentsService, type Taking } from '../consents/consents.service.js';
import { OAUTH_OPTIONS, type OAuthOptions } from '../oauth.module-definition.js';
import type { AuthorizationRequest } from '../consents/authorization-request.js';
import { responseLocation } from './authorization-response.js';
import { AUTHORIZE_REFUSALS, authorizeRefusal } from './authorize-refusals.js';
import { AuthorizationCodeIssuerService } from './authorization-code-issuer.service.js';

/** A consent form that is being answered. */
interface ShownConsent {
  readonly origin: string;
  readonly handle: string;
  readonly request: AuthorizationRequest;
  readonly session: Session;
}

/** Why an answer does not count whose handle was not taken. */
const notTaken = (taking: Exclude<Taking, 'taken'>) =>
  authorizeRefusal(taking === 'gone' ? 'answeredMeanwhile' : 'sessionOver');

/** Turns the answer to a consent form into the redirect that takes it to the client. */
@Injectable()
export class ConsentAnswersService {
  constructor(
    @Inject(OAUTH_OPTIONS) private readonly options: OAuthOptions,
    private readonly consents: ConsentsService,
    private readonly codes: AuthorizationCodeIssuerService,
    private readonly events: SecurityEventsService,
  ) {}

  /**
   * Throws RefusalError 400 for a handle that was used, has expired or was shown to another session,
   * and 401 when the session ended while the answer was on its way.
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

  /** A form that only waited too long was nobody's attempt at anything, so it is not told. */
  private async refused(origin: string, session: Session, handle: string) {
    const fault = await this.consents.whyRefused(session, handle);
    if (fault !== 'formExpired') {
      const detail = AUTHORIZE_REFUSALS[fault].happened;
      this.events.emit({ type: 'consent-refused', userId: session.user.id, origin, detail });
    }
    return authorizeRefusal(fault);
  }

  /**
   * The handle is used up once grant and code are there, so a replica that dies on the way leaves a
   * form that can be sent again. Whoever comes second, or has signed out, takes its own grant back.
   */
  private async approve(
    { origin, handle, request, session }: ShownConsent,
    scopes: readonly string[],
  ) {
    const { user } = session;
    const { code, grantId } = await this.codes.issue(origin, request, user, scopes);
    const taking = await this.consents.take(session, handle);
    if (taking !== 'taken') {
      await this.codes.discard(grantId);
      throw notTaken(taking);
    }
    const { clientId, app } = request;
    const replaced = await this.codes.complete(grantId, clientId);
    const about = { userId: user.id, clientId, app, origin };
    this.events.emit({ type: 'consent-approved', grantId, ...about });
    for (const id of replaced) this.events.emit({ type: 'grant-replaced', grantId: id, ...about });
    return responseLocation(origin, request, { code });
  }

  private async deny({ origin, handle, request, session }: ShownConsent, description: string) {
    const taking = await this.consents.take(session, handle);
    if (taking !== 'taken') throw notTaken(taking);
    const { clientId, app } = request;
    const userId = session.user.id;
    this.events.emit({ type: 'consent-denied', userId, clientId, app, origin });
    return responseLocation(origin, request, {
      error: 'access_denied',
      error_description: description,
    });
  }

  private chosenScopes(form: URLSearchParams) {
    const chosen = new Set(form.getAll('scope'));
    return this.options.scopes.map(({ name }) => name).filter((name) => chosen.has(name));
  }
}
