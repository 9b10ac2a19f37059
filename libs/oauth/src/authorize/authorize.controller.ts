import {
  type ArgumentsHost,
  Catch,
  Controller,
  type ExceptionFilter,
  Get,
  Post,
  Req,
  Res,
  UseFilters,
  UseGuards,
} from '@nestjs/common';
import type { Request, Response } from 'express';
import type { EntityManager } from 'typeorm';
import {
  AllowRoutedMethods,
  BrowserSessionsService,
  setLogReason,
  ownOriginOf,
  RefusalError,
  ReturnAddressService,
  type SecurityEvent,
  SecurityEventsService,
  VisitorGuard,
} from '#libs/accounts';
import { ConsentService } from './consent.service.js';
import { OAUTH_PATHS, readForm } from '../oauth-endpoints.js';
import { type ValidRequest, AuthorizationPagesService } from './authorization-pages.js';
import {
  isForeignAnswer,
  isFormSubmission,
  isPageLoad,
  wantsNoPage,
} from './authorization-request.js';
import { AuthorizationRequestsService } from './authorization-requests.service.js';
import { authorizeRefusal, unreadableAnswer } from './authorize-refusals.js';

/** Sends refusals as plain text with the id in `X-Request-Id`, which also stands in the log. */
@Catch(RefusalError)
class AuthorizeRefusalFilter implements ExceptionFilter<RefusalError> {
  catch({ status, message, headers }: RefusalError, host: ArgumentsHost) {
    const response = host.switchToHttp().getResponse<Response>();
    if (response.headersSent) return void response.destroy();
    setLogReason(response, message);
    const id = response.get('X-Request-Id');
    const text = id === undefined ? message : `${message} (request ${id})`;
    response.status(status).set(headers).type('text/plain').send(text);
  }
}

/** The authorization endpoint (RFC 6749 §3.1): GET shows the page, POST submits the consent form. */
@Controller()
@AllowRoutedMethods()
@UseGuards(VisitorGuard)
@UseFilters(AuthorizeRefusalFilter)
export class AuthorizeController {
  constructor(
    private readonly sessions: BrowserSessionsService,
    private readonly requests: AuthorizationRequestsService,
    private readonly pages: AuthorizationPagesService,
    private readonly consents: ConsentService,
    private readonly returns: ReturnAddressService,
    private readonly events: SecurityEventsService,
  ) {}

  /** Contract: Authorization request, Authorization page. */
  @Get(OAUTH_PATHS.authorize)
  async show(@Req() request: Request, @Res() response: Response) {
    const { origin } = ownOriginOf(request);
    const query = new URL(request.originalUrl, origin).searchParams;
    // 1. The client and its request: faults are refused in plain text, or with an error redirect to the client.
    const result = await this.requests.validate(origin, query);
    if (result.kind === 'refused') {
      throw this.reportRefusal(result.refusal, { origin, clientId: result.clientId });
    }
    if (result.kind === 'redirect') {
      const { location, clientId } = result;
      this.emitRefused({ origin, clientId, detail: errorIn(location) });
      return redirectToClient(response, location);
    }
    const acceptLanguage = request.headers['accept-language'];
    const wishes = { acceptLanguage, uiLocales: query.get('ui_locales') };
    const valid = { ...result, origin, wishes };
    // 2. `prompt=none`: an error redirect.
    if (wantsNoPage(query)) {
      const session = await this.sessions.findInTurn(request, response);
      return redirectToClient(response, await this.pages.withoutPage(valid, session));
    }
    // 3. The page: a consent is begun and its form is shown, or sign-in.
    try {
      const page = isPageLoad(request.headers)
        ? await this.loadedPage(valid, request, response)
        : await this.pages.renderOpenInTab(valid, request.originalUrl);
      response.status(page.status).set(page.headers).send(page.html);
    } catch (error) {
      throw this.reportRefusal(error, { origin, clientId: result.request.clientId });
    }
  }

  /** Contract: Consent. */
  @Post(OAUTH_PATHS.authorize)
  async answer(@Req() request: Request, @Res() response: Response) {
    const { origin } = ownOriginOf(request);
    // 1. From our page, by a form in a window: else 403.
    if (isForeignAnswer(origin, request.headers)) {
      this.events.emit({ type: 'foreign-origin-refused', userId: null, origin });
      throw authorizeRefusal('foreignAnswer');
    }
    if (!isFormSubmission(request.headers)) throw authorizeRefusal('scriptedAnswer');
    // 2. In a session: else 401.
    const session = await this.sessions.findInTurn(request, response);
    if (!session) throw authorizeRefusal('sessionOver');
    // 3. The handle, the decision, the chosen scopes, and those of which each use is asked about.
    const form = await readForm(request).catch((error: unknown) => {
      throw error instanceof RefusalError ? unreadableAnswer(error) : error;
    });
    const answer = {
      handle: form.get('handle') ?? '',
      isApproved: form.get('decision') === 'approve',
      scopes: new Set(form.getAll('scope')),
      ask: new Set(form.getAll('ask')),
      mayConsent: (manager?: EntityManager) => this.requests.mayConsent(session, manager),
    };
    // 4. A code, or `access_denied`.
    redirectToClient(response, await this.consents.answer(origin, session, answer));
  }

  private async loadedPage(valid: ValidRequest, request: Request, response: Response) {
    const found = await this.sessions.findInTurn(request, response);
    const session = found && (await this.requests.mayConsent(found)) ? found : undefined;
    const consent = await this.pages.renderConsent(valid, session);
    if (consent) return consent;
    const signIn = await this.pages.renderSignIn(valid);
    if (this.pages.hasSignInLinks) await this.returns.keep(request, response, request.originalUrl);
    return signIn;
  }

  /** The event of an unknown client has no client id: that id would be unverified input of the caller. */
  private reportRefusal(error: unknown, about: Pick<SecurityEvent, 'origin' | 'clientId'>) {
    if (error instanceof RefusalError) this.emitRefused({ ...about, detail: error.message });
    return error;
  }

  private emitRefused(about: Pick<SecurityEvent, 'origin' | 'clientId' | 'detail'>) {
    this.events.emit({ type: 'authorization-refused', userId: null, ...about });
  }
}

/** The error that a redirect tells the client; parameters of the redirect URI itself stand before it. */
function errorIn(location: string): string | undefined {
  const query = new URL(location).searchParams;
  const last = (name: string) => query.getAll(name).at(-1);
  if (query.has('code') || !query.has('error')) return undefined;
  return [last('error'), last('error_description')].filter(Boolean).join(': ');
}

function redirectToClient(response: Response, location: string) {
  const error = errorIn(location);
  if (error !== undefined) setLogReason(response, error);
  response.status(302).set({ Location: location, 'Referrer-Policy': 'no-referrer' }).end();
}
