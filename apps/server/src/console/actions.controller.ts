import { Controller, Get, Param, Post, Res, StreamableFile } from '@nestjs/common';
import type { Response } from 'express';
import { AllowRoutedMethods, RefusalError } from '#libs/accounts';
import { type Fragment, html, type Page, shownText } from '#libs/ui-templates';
import { ACTIONS, pageAfter } from './actions.js';
import { Form, Viewing } from './console.guard.js';
import { consolePage, formToken, queryOf, type SignedInView } from './console-page.js';
import { control, fieldsOf, idField, membersOf } from './fields.js';
import { ConsoleOperations } from './operations.service.js';
import { facts, words } from './parts.js';
import { send, sendFile } from './send.js';

/** A page for each action asks once more, with a form of what it takes; its answer tells what became of it. */
@Controller('console/do/:name')
@AllowRoutedMethods()
export class ActionsController {
  constructor(private readonly operations: ConsoleOperations) {}

  @Get()
  async ask(@Viewing() view: SignedInView, @Param('name') name: string, @Res() response: Response) {
    send(response, await this.formPage(view, name, queryOf(view)));
  }

  @Post()
  async act(
    @Viewing() view: SignedInView,
    @Param('name') name: string,
    @Form() form: URLSearchParams,
    @Res() response: Response,
  ) {
    const { action, fields } = this.find(name);
    const id = form.get('id') ?? undefined;
    try {
      const members = membersOf(fields, form);
      const answer = await this.operations.run<object>(view.session, name, id, members);
      if (answer instanceof StreamableFile) return await sendFile(response, answer);
      const { says } = this.operations.get(name).details;
      const told: Fragment = says
        ? html`<p>
            ${action.isOnce ? html`<code>${shownText(says(answer))}</code>` : shownText(says(answer))}
          </p>`
        : facts(answer);
      const isOnce = action.isOnce
        ? html`<p class="quiet">A secret, code or link is not shown again: copy it now.</p>`
        : '';
      const back = pageAfter(name, action, id);
      const main = html`<div class="card">${told} ${isOnce}</div>
        <p><a href="${back}">Continue</a></p>`;
      return send(response, consolePage(view, `${action.label}: done`, main));
    } catch (error) {
      if (!(error instanceof RefusalError) || error.status !== 400) throw error;
      return send(response, await this.formPage(view, name, form, error.message));
    }
  }

  private find(name: string) {
    const action = ACTIONS.get(name);
    if (!action) throw new RefusalError(404, 'there is no such action');
    const { input, takes, details } = this.operations.get(name);
    return { action, fields: fieldsOf(input), takes, summary: details.summary };
  }

  private async formPage(
    view: SignedInView,
    name: string,
    entered: URLSearchParams,
    fault?: string,
  ): Promise<Page> {
    const { action, fields, takes, summary } = this.find(name);
    const { session } = view;
    this.operations.expectMay(session, name);
    const id = entered.get('id') ?? undefined;
    const isKnown = id !== undefined && fault === undefined;
    const members = membersOf(fields, entered);
    const isAsked = isKnown && (fields.length === 0 || Object.keys(members).length > 0);
    const asked = isAsked
      ? await this.operations.questionOf(session, name, id, members)
      : undefined;
    const question = asked ?? action.question;
    const shown = takes && id === undefined ? [idField(takes), ...fields] : fields;
    const main = html`<form method="POST" action="/console/do/${name}" class="card">
      ${fault === undefined ? '' : html`<p class="notice warning" role="alert">${fault}</p>`}
      <p>${summary}.</p>
      ${question === undefined ? '' : html`<p><strong>${shownText(question)}</strong></p>`}
      ${takes === undefined || id === undefined || asked ? '' : html`<p class="quiet">${words(takes)}: <code>${shownText(id)}</code></p>`}
      ${formToken(session)}
      ${id === undefined ? '' : html`<input type="hidden" name="id" value="${id}" />`}
      ${shown.map((field) => control(field, entered.get(field.member) ?? ''))}
      <p class="acts">
        <button type="submit" class="main ${action.ends ? 'danger' : ''}">${action.label}</button>
        <a class="button" href="${pageAfter(name, { ...action, ends: undefined }, id)}">Cancel</a>
      </p>
    </form>`;
    return consolePage(view, action.label, main, fault === undefined ? 200 : 400);
  }
}
