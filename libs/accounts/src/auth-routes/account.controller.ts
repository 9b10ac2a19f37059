import { HttpCode, Logger, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { OutageLog } from '#libs/platform';
import { SecurityEventsService } from '../security-event/security-events.service.js';
import { ownOriginOf } from '../request-origin/own-origin.middleware.js';
import { BrowserSessionsService } from '../session/browser-sessions.service.js';
import type { User } from '../user/user.js';
import { AuthController, AuthGet, AuthPost } from '../http/auth-routes.decorator.js';
import { type BudgetBalance, BudgetReader } from './budget-reader.js';

interface AccountStatus {
  readonly user: User | null;
  readonly budget: BudgetBalance | null;
}

@AuthController()
export class AccountController {
  private readonly outage = new OutageLog(new Logger(AccountController.name));

  constructor(
    private readonly sessions: BrowserSessionsService,
    private readonly budgets: BudgetReader,
    private readonly events: SecurityEventsService,
  ) {}

  @AuthGet('me')
  async me(@Req() request: Request): Promise<AccountStatus> {
    const session = await this.sessions.find(request);
    if (!session) return { user: null, budget: null };
    const { user } = session;
    return { user, budget: await this.findBudget(user.id) };
  }

  @AuthPost('logout')
  @HttpCode(204)
  async logout(@Req() request: Request, @Res({ passthrough: true }) response: Response) {
    const ended = await this.sessions.end(request, response);
    if (!ended) return;
    const { origin } = ownOriginOf(request);
    const { user } = ended;
    this.events.emit({ type: 'sign-out', userId: user.id, origin, endedSessions: [ended] });
  }

  /** Null when the balance cannot be read, so that the account is still shown. */
  private async findBudget(userId: string) {
    try {
      const balance = await this.budgets.find(userId);
      this.outage.end('budgets can be read again');
      return balance ?? null;
    } catch (error) {
      this.outage.begin(`budgets cannot be read: ${String(error)}`);
      return null;
    }
  }
}
