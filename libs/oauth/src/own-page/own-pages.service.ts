import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import {
  BrowserSessionsService,
  checkAroundBody,
  ownOriginOf,
  RefusalError,
  SecurityEventsService,
  type Session,
} from '#libs/accounts';
import { AccountSiteService, openInTabPage, type Page, type SiteContext } from '#libs/ui-templates';
import {
  isForeignAnswer,
  isFormSubmission,
  isPageLoad,
} from '../authorize/authorization-request.js';
import { readForm } from '../oauth-endpoints.js';

interface Opened {
  readonly session: Session;
  readonly site: SiteContext;
}

/** Pages below `/svc/account` that decide what apps may do, under the rules of the consent page. */
@Injectable()
export class OwnPagesService {
  constructor(
    private readonly sessions: BrowserSessionsService,
    private readonly site: AccountSiteService,
    private readonly events: SecurityEventsService,
  ) {}

  /** Sends a page to a page load alone, and to someone who is signed in; others get one to open it, or to sign in. */
  async show(request: Request, response: Response, render: (opened: Opened) => Promise<Page>) {
    const site = this.site.contextOf(request);
    if (!isPageLoad(request.headers)) {
      return send(response, openInTabPage({ ...site, link: request.originalUrl }));
    }
    const session = await this.sessions.findInTurn(request, response);
    await this.site.keepAddress(request, response);
    send(response, session ? await render({ session, site }) : this.site.signedOut(request));
  }

  /** Takes a form of such a page, and goes on to where `answer` says, or to the page that it renders. */
  async take(
    request: Request,
    response: Response,
    answer: (opened: Opened, form: URLSearchParams) => Promise<string | Page>,
  ): Promise<void> {
    const { origin } = ownOriginOf(request);
    // 1. From our page, by a form in a window: else 403.
    if (isForeignAnswer(origin, request.headers)) {
      this.events.emit({ type: 'foreign-origin-refused', userId: null, origin });
      throw new RefusalError(
        403,
        'this form was sent by another site; open the page and try again',
      );
    }
    if (!isFormSubmission(request.headers)) {
      throw new RefusalError(403, 'this form was sent by a script; open the page in a tab instead');
    }
    const taken = await this.read(request, response).catch((error: unknown) => {
      if (error instanceof RefusalError && error.status === 401) return undefined;
      throw error;
    });
    if (!taken) return send(response, { ...this.site.signedOut(request), status: 401 });
    const { session, form } = taken;
    const answered = await answer({ session, site: this.site.contextOf(request) }, form);
    if (typeof answered !== 'string') return send(response, answered);
    response.status(302).set({ Location: answered, 'Referrer-Policy': 'same-origin' }).end();
  }

  private async read(request: Request, response: Response) {
    // 2. In a session, also when the form has come: else 401, with the page to sign in.
    const check = () => this.sessions.getInTurn(request, response);
    const session = await checkAroundBody(request, check);
    // 3. The form: else 400 and 413.
    const form = await readForm(request, MAX_FIELDS);
    return { session, form };
  }
}

/** More than a resource has scopes. */
const MAX_FIELDS = 256;

const send = (response: Response, { status, headers, html }: Page) =>
  void response.status(status).set(headers).send(html);
