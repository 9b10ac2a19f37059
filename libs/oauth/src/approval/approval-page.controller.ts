import { Controller, Get, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import {
  AllowRoutedMethods,
  ChangeLimitService,
  ownOriginOf,
  RefusalError,
  type Session,
} from '#libs/accounts';
import { epochSeconds } from '#libs/platform';
import {
  type Page,
  requestGonePage,
  requestPage,
  type SiteContext,
  textFor,
} from '#libs/ui-templates';
import { OwnPagesService } from '../own-page/own-pages.service.js';
import { ResourcesService } from '../resource/resource.js';
import { type Approval, toRequest } from './approval.js';
import { isDecision } from './approval.controller.js';
import { ApprovalService } from './approval.service.js';

const PAGES = '/svc/account/requests';

/** The page where a person decides about one call of an app (contract, Requests). */
@Controller()
@AllowRoutedMethods()
export class ApprovalPageController {
  constructor(
    private readonly pages: OwnPagesService,
    private readonly approvals: ApprovalService,
    private readonly changes: ChangeLimitService,
    private readonly resources: ResourcesService,
  ) {}

  @Get(`${PAGES}/:id`)
  async show(@Req() request: Request, @Res() response: Response) {
    await this.pages.show(request, response, async ({ session, site }) => {
      const approval = await this.approvals.find(session.user, idOf(request));
      return approval ? this.render(approval, session, site, request) : requestGonePage(site);
    });
  }

  /** Its form, which works without a script: the decision, then the page again. A passkey takes the script. */
  @Post(`${PAGES}/:id`)
  async decide(@Req() request: Request, @Res() response: Response) {
    await this.pages.take(request, response, async ({ session, site }, form) => {
      const id = idOf(request);
      const approval = await this.approvals.find(session.user, id);
      if (!approval) return requestGonePage(site);
      const decision = form.get('decision');
      if (!isDecision(decision)) return `${PAGES}/${id}`;
      await this.changes.count(session);
      const { origin } = ownOriginOf(request);
      try {
        await this.approvals.decide(session, id, { decision }, { origin });
        return `${PAGES}/${id}`;
      } catch (error) {
        if (!(error instanceof RefusalError) || error.status !== 409) throw error;
        const ended = (await this.approvals.find(session.user, id)) ?? approval;
        return this.render(ended, session, site, request, true);
      }
    });
  }

  private render(
    approval: Approval,
    { user }: Session,
    site: SiteContext,
    request: Request,
    isLate = false,
  ): Page {
    const { scopes } = this.resources.defaultOf(ownOriginOf(request).origin);
    const scope = scopes.find(({ name }) => name === approval.scope);
    const tag = site.language?.tag ?? 'en';
    return requestPage({
      ...site,
      userName: user.displayName,
      request: toRequest(approval),
      permission: textFor(tag, scope?.texts) ?? scope?.description ?? approval.scope,
      canAllowAlways: approval.mayAllowAlways,
      now: epochSeconds(Date.now()),
      isLate,
    });
  }
}

/** The part of the path as sent, not decoded, so that each id has only one spelling. */
const idOf = ({ path }: Request) => path.slice(PAGES.length + 1);
