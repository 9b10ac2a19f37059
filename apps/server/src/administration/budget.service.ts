import { Injectable } from '@nestjs/common';
import { SecurityEventsService, UserDirectoryService } from '#libs/accounts';
import { BudgetService, OwnLimits } from '#libs/budget';
import type { Credits } from './values.js';

/** Daily budgets for operators. */
@Injectable()
export class BudgetAdministrationService {
  constructor(
    private readonly users: UserDirectoryService,
    private readonly budgets: BudgetService,
    private readonly ownLimits: OwnLimits,
    private readonly events: SecurityEventsService,
  ) {}

  /** `ownLimit` is null where the account has the default limit. */
  async show(user: string) {
    await this.users.get(user);
    const ownLimit = (await this.ownLimits.find(user)) ?? null;
    return { user, ...(await this.budgets.read(user)), ownLimit };
  }

  /** Sets the account's own daily limit. Changes nothing when the budget cannot be read. */
  async set(user: string, credits: Credits, actor: string) {
    await this.show(user);
    await this.users.whileThere(user, (manager) =>
      credits === 'default'
        ? this.ownLimits.remove(user, manager)
        : this.ownLimits.set(user, credits, manager),
    );
    const said = {
      detail: String(credits),
      facts: credits === 'default' ? {} : { limit: credits },
    };
    this.events.emit({ type: 'budget-set', userId: user, origin: '', actor, ...said });
    return this.show(user);
  }

  /** Sets today's use to zero. */
  async reset(user: string, actor: string) {
    await this.users.get(user);
    await this.budgets.reset(user);
    this.events.emit({ type: 'budget-reset', userId: user, origin: '', actor });
    return this.show(user);
  }
}
