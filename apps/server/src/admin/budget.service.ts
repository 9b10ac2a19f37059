import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { RefusalError, SecurityEventsService, UserDirectoryService } from '#libs/accounts';
import { BudgetService, OwnLimits } from '#libs/budget';
import { ClientStore, machineAccountOf } from '#libs/oauth';
import type { Credits } from './operation/values.js';

/** An account, or a machine client. */
export type BudgetOwner = { readonly user: string } | { readonly client: string };

/** The account that a budget is charged to, how events name its owner, and what keeps the owner during a change. */
interface BudgetAccount {
  readonly account: string;
  readonly named: { readonly userId: string | null; readonly clientId?: string };
  readonly whileThere: (work: (manager: EntityManager) => Promise<void>) => Promise<unknown>;
}

/** Daily budgets of accounts and of machine clients. Throws RefusalError 404 for a client that is no machine client. */
@Injectable()
export class BudgetAdministrationService {
  constructor(
    private readonly users: UserDirectoryService,
    private readonly budgets: BudgetService,
    private readonly ownLimits: OwnLimits,
    private readonly events: SecurityEventsService,
    private readonly clients: ClientStore,
  ) {}

  /** `ownLimit` is null where the owner has the default limit. */
  async show<Owner extends BudgetOwner>(owner: Owner) {
    const { account } = await this.accountOf(owner);
    return { ...owner, ...(await this.read(account)) };
  }

  /** Sets the owner's own daily limit. Changes nothing when the budget cannot be read. */
  async set<Owner extends BudgetOwner>(owner: Owner, credits: Credits, actor: string) {
    const { account, named, whileThere } = await this.accountOf(owner);
    await this.read(account);
    await whileThere((manager) =>
      credits === 'default'
        ? this.ownLimits.remove(account, manager)
        : this.ownLimits.set(account, credits, manager),
    );
    const said = {
      detail: String(credits),
      facts: credits === 'default' ? {} : { limit: credits },
    };
    this.events.emit({ type: 'budget-set', ...named, origin: '', actor, ...said });
    return this.show(owner);
  }

  /** Sets today's use to zero. */
  async reset<Owner extends BudgetOwner>(owner: Owner, actor: string) {
    const { account, named } = await this.accountOf(owner);
    await this.budgets.reset(account);
    this.events.emit({ type: 'budget-reset', ...named, origin: '', actor });
    return this.show(owner);
  }

  private async accountOf(owner: BudgetOwner): Promise<BudgetAccount> {
    if ('user' in owner) {
      const { user } = owner;
      await this.users.get(user);
      return {
        account: user,
        named: { userId: user },
        whileThere: (work) => this.users.whileThere(user, work),
      };
    }
    const { client: clientId } = owner;
    const { kind } = await this.clients.get(clientId);
    if (kind !== 'machine') {
      throw new RefusalError(404, 'this client has no budget: it spends that of its users');
    }
    return {
      account: machineAccountOf(clientId),
      named: { userId: null, clientId },
      whileThere: (work) => this.clients.whileThere(clientId, work),
    };
  }

  private async read(account: string) {
    const ownLimit = (await this.ownLimits.find(account)) ?? null;
    return { ...(await this.budgets.read(account)), ownLimit };
  }
}
