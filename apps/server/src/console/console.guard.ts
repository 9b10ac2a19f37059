import {
  type CanActivate,
  createParamDecorator,
  type ExecutionContext,
  Inject,
  Injectable,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import {
  checkAroundBody,
  isForeignOrigin,
  isOwnUnnamed,
  readCookie,
  RefusalError,
  SecurityEventsService,
} from '#libs/accounts';
import { readForm } from '#libs/oauth';
import { CONSOLE_OPTIONS, type ConsoleOptions } from './console.module-definition.js';
import type { SignedInView, View } from './console-page.js';
import { ConsoleSessions } from './session.service.js';

/** On a handler: for people who are not signed in. */
export const Open = Reflector.createDecorator<true>();

/** A page was asked for without a session. */
export class SignInError extends RefusalError {
  constructor(status: 200 | 401) {
    super(status, 'sign in first');
  }
}

interface Locals {
  adminActor?: string;
  consoleView?: View;
  consoleForm?: URLSearchParams;
}

const localsOf = ({ locals }: Response): Locals => locals;

export const viewOf = (response: Response): View | undefined => localsOf(response).consoleView;

export const Viewing = createParamDecorator((_data: unknown, context: ExecutionContext) =>
  viewOf(context.switchToHttp().getResponse<Response>()),
);

/** What a POST sent. */
export const Form = createParamDecorator(
  (_data: unknown, context: ExecutionContext) =>
    localsOf(context.switchToHttp().getResponse<Response>()).consoleForm,
);

/** Whether a page of another site asked, by what the browser says. */
export const isOfOtherSite = ({ headers: { 'sec-fetch-site': site } }: Request): boolean =>
  site === 'cross-site' || site === 'same-site';

/** Another site does not open the page of an action: a second click of its visitor could meet the button. */
export const isForeignLinkToAction = (request: Request): boolean =>
  isOfOtherSite(request) && request.path.startsWith('/console/do/');

/**
 * In this order: a form of another site is 403, a page without a session the page to sign in, and a form without the
 * token of its session 403. Each answer to a session has the cookie that goes on from now.
 */
@Injectable()
export class ConsoleGuard implements CanActivate {
  constructor(
    private readonly sessions: ConsoleSessions,
    private readonly events: SecurityEventsService,
    private readonly reflector: Reflector,
    @Inject(CONSOLE_OPTIONS) private readonly options: ConsoleOptions,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    const response = http.getResponse<Response>();
    const locals = localsOf(response);
    const origin = `${request.protocol}://${request.headers.host}`;
    const { serviceName } = this.options;
    const view = { serviceName, origin, address: request.originalUrl };
    locals.consoleView = view;
    const isForm = request.method === 'POST';
    if (isForm) this.expectOwn(request, origin);
    if (this.reflector.get(Open, context.getHandler())) {
      locals.consoleForm = await readForm(request, MAX_FIELDS);
      return true;
    }
    // The session may end, and its role may be lowered, while a form arrives.
    const session = await checkAroundBody(request, () => this.enter(request, response, view));
    if (!isForm) return true;
    const form = await readForm(request, MAX_FIELDS);
    if (!this.sessions.isOwnForm(session, form.get('token'))) {
      throw new RefusalError(403, 'this form is not of your session; open the page and try again');
    }
    locals.consoleForm = form;
    return true;
  }

  private async enter(request: Request, response: Response, view: View) {
    const locals = localsOf(response);
    locals.consoleView = view;
    const cookie = readCookie(request.headers.cookie, COOKIE);
    const session = isForeignLinkToAction(request) ? undefined : await this.sessions.read(cookie);
    if (!session) throw new SignInError(request.method === 'POST' ? 401 : 200);
    locals.adminActor = session.name;
    locals.consoleView = { ...view, session } satisfies SignedInView;
    setCookie(request, response, session.cookie);
    return session;
  }

  private expectOwn({ headers }: Request, own: string) {
    const { origin, 'sec-fetch-site': site } = headers;
    const isOwn = site === undefined || site === 'same-origin' || site === 'none';
    if (isOwn && (isOwnUnnamed(origin, site) || !isForeignOrigin(origin, own))) return;
    this.events.emit({ type: 'foreign-origin-refused', userId: null, origin: own });
    throw new RefusalError(403, 'this form was sent by another site; open the page and try again');
  }
}

const COOKIE = 'console';
const MAX_FIELDS = 64;

/** Until the browser ends: the cookie itself says how long it counts. An empty value removes it. */
export function setCookie(request: Request, response: Response, value: string) {
  const attributes = ['Path=/console', 'HttpOnly', 'SameSite=Strict'];
  if (request.secure) attributes.push('Secure');
  if (value === '') attributes.push('Max-Age=0');
  response.setHeader('Set-Cookie', [`${COOKIE}=${value}`, ...attributes].join('; '));
}
