import { Inject, Injectable } from '@nestjs/common';
import { RefusalError, SecurityEventsService, type Session } from '#libs/accounts';
import { ConsentsService } from '../consents/consents.service.js';
import { OAUTH_OPTIONS, type OAuthOptions } from '../oauth.module-definition.js';
import { responseLocation } from './authorization-response.js';
import { ApprovalsService } from './approvals.service.js';

/** Turns the answer to a consent form into the redirect that takes it to the client. */
@Injectable()
export class ConsentAnswersService {
  constructor(
    @Inject(OAUTH_OPTIONS) private readonly options: OAuthOptions,
    private readonly consents: ConsentsService,
    private readonly approvals: ApprovalsService,
    private readonly events: SecurityEventsService,
  ) {}

  /** Throws RefusalError 400 for a handle that was used, has expired or was shown to another session. */
  async answer(origin: string, session: Session, form: URLSearchParams): Promise<string> {
    const request = await this.consents.take(session, origin, form.get('handle') ?? '');
    if (!request) {
      throw new RefusalError(
        400,
        'this form was answered before or has expired; start again from the app',
      );
    }
    const about = { userId: session.user.id, clientId: request.clientId, origin };
    const chosen = this.chosenScopes(form);
    if (form.get('decision') === 'approve' && chosen.length > 0) {
      const { code, grantId } = await this.approvals.approve(origin, request, session.user, chosen);
      this.events.emit({ type: 'consent-approved', ...about, grantId });
      return responseLocation(origin, request, { code });
    }
    this.events.emit({ type: 'consent-denied', ...about });
    return responseLocation(origin, request, {
      error: 'access_denied',
      error_description: 'the user denied the request',
    });
  }

  private chosenScopes(form: URLSearchParams) {
    const chosen = new Set(form.getAll('scope'));
    return this.options.scopes.map(({ name }) => name).filter((name) => chosen.has(name));
  }
}
