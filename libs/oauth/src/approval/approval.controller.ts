import { Controller, Get, HttpCode, Post, Req, Res, UseGuards } from '@nestjs/common';
import { IsIn, IsObject, IsOptional } from 'class-validator';
import type { Request, Response } from 'express';
import {
  AllowRoutedMethods,
  ChangeLimitGuard,
  ChangeLimitService,
  CurrentSession,
  CurrentUser,
  JsonBody,
  OwnAccountController,
  ownOriginOf,
  RefusalError,
  type Session,
  sentencePipe,
  type User,
} from '#libs/accounts';
import { epochSeconds } from '#libs/platform';
import { requestGonePage, requestPage, type SiteContext, textFor } from '#libs/ui-templates';
import { OwnPagesService } from '../own-page/own-pages.service.js';
import { ResourcesService } from '../resource/resource.js';
import { type Approval, toRequest } from './approval.js';
import { ApprovalService } from './approval.service.js';
import type { Decision } from './approval.store.js';

const DECISIONS: readonly Decision[] = ['once', 'always', 'no'];

const isDecision = (word: unknown): word is Decision =>
  DECISIONS.some((decision) => decision === word);

class DecisionBody {
  @IsIn(DECISIONS, { message: 'decision is once, always or no' })
  decision!: Decision;

  /** Of the passkey, where the request needs one: an AuthenticationResponseJSON (WebAuthn L3 §5.8). */
  @IsOptional()
  @IsObject({ message: 'assertion is an object' })
  assertion?: object;
}

const COLLECTION = '/svc/me/requests';
const OPTIONS = '/options';

/** Options for the passkey of a decision. A controller of its own, before the other, for its methods (405). */
@OwnAccountController(`${COLLECTION}/:id${OPTIONS}`)
export class ApprovalOptionsController {
  constructor(private readonly approvals: ApprovalService) {}

  @Post()
  @HttpCode(200)
  @UseGuards(ChangeLimitGuard)
  async create(@CurrentUser() user: User, @Req() request: Request) {
    const id = idOf(request, COLLECTION).slice(0, -OPTIONS.length);
    return this.approvals.passkeyOptions(user, id, ownOriginOf(request).origin);
  }
}

/** What apps ask of the signed-in person (contract, Requests): 401, 405, 429, 413 or 400, 404, 409, 400, 503, 403. */
@OwnAccountController(COLLECTION)
export class ApprovalsController {
  constructor(private readonly approvals: ApprovalService) {}

  @Get()
  async list(@CurrentUser() { id }: User) {
    const open = await this.approvals.listOpen(id);
    return { requests: open.map(toRequest) };
  }

  @Get('{*rest}')
  async find(@CurrentUser() user: User, @Req() request: Request) {
    return { request: toRequest(await this.approvals.get(user, idOf(request, COLLECTION))) };
  }

  @Post('{*rest}')
  @HttpCode(200)
  @UseGuards(ChangeLimitGuard)
  async decide(
    @CurrentSession() session: Session,
    @Req() request: Request,
    @JsonBody(sentencePipe) body: DecisionBody,
  ) {
    const { origin } = ownOriginOf(request);
    const id = idOf(request, COLLECTION);
    return { request: toRequest(await this.approvals.decide(session, id, body, { origin })) };
  }
}

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
      const approval = await this.approvals.find(session.user, idOf(request, PAGES));
      return approval ? this.render(approval, session, site, request) : requestGonePage(site);
    });
  }

  /** Its form, which works without a script: the decision, then the page again. A passkey takes the script. */
  @Post(`${PAGES}/:id`)
  async decide(@Req() request: Request, @Res() response: Response) {
    await this.pages.take(request, response, async ({ session, site }, form) => {
      const id = idOf(request, PAGES);
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
  ) {
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

/** The rest of the path as sent, not decoded, so that each id has only one spelling. */
const idOf = ({ path }: Request, below: string) => path.slice(below.length + 1);
