import { Inject, Injectable } from '@nestjs/common';
import { RefusalError, type Session, type User } from '#libs/accounts';
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
    const chosen = this.chosenScopes(form);
    if (form.get('decision') === 'approve' && chosen.length > 0) {
      const { user }: { user: User } = session;
      const code = await this.approvals.approve(origin, request, user, chosen);
      return responseLocation(origin, request, { code });
    }
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
