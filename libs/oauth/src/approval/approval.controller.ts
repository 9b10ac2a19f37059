import { Get, HttpCode, Post, Req, UseGuards } from '@nestjs/common';
import { IsIn, IsObject, IsOptional } from 'class-validator';
import type { Request } from 'express';
import {
  ChangeLimitGuard,
  CurrentSession,
  CurrentUser,
  JsonBody,
  OwnAccountController,
  ownOriginOf,
  type Session,
  sentencePipe,
  type User,
} from '#libs/accounts';
import { toRequest } from './approval.js';
import { ApprovalService } from './approval.service.js';
import type { Decision } from './approval.store.js';

const DECISIONS: readonly Decision[] = ['once', 'always', 'no'];

export const isDecision = (word: unknown): word is Decision =>
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
    const id = idOf(request).slice(0, -OPTIONS.length);
    return this.approvals.passkeyOptions(user, id, ownOriginOf(request).origin);
  }
}

/** What apps ask of the signed-in person (contract, Requests): 401, 405, 429, 413 or 400, 404, 409, 400, 403. */
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
    return { request: toRequest(await this.approvals.get(user, idOf(request))) };
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
    return {
      request: toRequest(await this.approvals.decide(session, idOf(request), body, { origin })),
    };
  }
}

/** The rest of the path as sent, not decoded, so that each id has only one spelling. */
const idOf = ({ path }: Request) => path.slice(COLLECTION.length + 1);
