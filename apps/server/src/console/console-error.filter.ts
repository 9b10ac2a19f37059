import { Catch } from '@nestjs/common';
import type { Request, Response } from 'express';
import { html } from '#libs/ui-templates';
import { ErrorFilter } from '../http/error.filter.js';
import { isForeignLinkToAction, isOfOtherSite, viewOf } from './console.guard.js';
import { consolePage, signInPage, type View } from './console-page.js';
import { capitalized } from './parts.js';
import { send } from './send.js';

/** Tells failures on a page. */
@Catch()
export class ConsoleErrorFilter extends ErrorFilter {
  constructor(private readonly serviceName: string) {
    super(() => undefined);
  }

  protected override answer(request: Request, response: Response, status: number, message: string) {
    const view = viewOf(response) ?? this.viewOf(request);
    if (isSignIn(status)) return this.answerSignIn(request, response, view, status);
    const main = html`<p class="notice warning" role="alert">${capitalized(message)}.</p>
      <p><a href="/console">To the console</a></p>`;
    return send(response, consolePage(view, TITLES[status] ?? 'This did not work', main, status));
  }

  private answerSignIn(request: Request, response: Response, view: View, status: number) {
    const isOpened = request.method !== 'POST' && !isForeignLinkToAction(request);
    const to = isOpened ? request.originalUrl : '/console';
    // The cookie does not come with a link of another site. Loaded once more, the page is asked for by itself.
    if (isOfOtherSite(request)) response.setHeader('Refresh', isOpened ? '0' : `0; url=${to}`);
    send(response, signInPage(view, to, undefined, status));
  }

  private viewOf({ originalUrl: address }: Request): View {
    return { serviceName: this.serviceName, origin: '', address };
  }
}

const TITLES: Readonly<Record<number, string>> = {
  403: 'This is refused',
  404: 'There is no such page',
  429: 'Too many tries',
};

/** No failure but a SignInError has these. */
const isSignIn = (status: number) => status === 200 || status === 401;
