import { Injectable } from '@nestjs/common';
import { SecurityEventsService, UserDirectoryService } from '#libs/accounts';
import { BudgetService, OwnLimits } from '#libs/budget';

/** Daily budgets for those who run the service, as UsersAdministrationService has accounts. */
@Injectable()
export class BudgetAdministrationService {
  constructor(
    private readonly users: UserDirectoryService,
    private readonly budgets: BudgetService,
    private readonly ownLimits: OwnLimits,
    private readonly events: SecurityEventsService,
  ) {}

  /** `ownLimit` is null where everybody's limit counts. */
  async show(user: string) {
    await this.users.get(user);
    const ownLimit = (await this.ownLimits.find(user)) ?? null;
    return { user, ...(await this.budgets.read(user)), ownLimit };
  }

  /** A daily limit of its own in credits, or with undefined everybody's again. Where budgets cannot be read it sets none. */
  async set(user: string, credits: number | undefined, actor: string) {
    await this.show(user);
    await this.users.whileThere(user, (manager) =>
      credits === undefined
        ? this.ownLimits.remove(user, manager)
        : this.ownLimits.set(user, credits, manager),
    );
    const said =
      credits === undefined
        ? { detail: 'default', facts: {} }
        : { detail: String(credits), facts: { limit: credits } };
    this.events.emit({ type: 'budget-set', userId: user, origin: '', actor, ...said });
    return this.show(user);
  }

  /** Today's use is nothing from now on. */
  async reset(user: string, actor: string) {
    await this.users.get(user);
    await this.budgets.reset(user);
    this.events.emit({ type: 'budget-reset', userId: user, origin: '', actor });
    return this.show(user);
  }
}
