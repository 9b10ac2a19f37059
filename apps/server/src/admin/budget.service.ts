import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { RefusalError, SecurityEventsService, UserDirectoryService } from '#libs/accounts';
import { BudgetService, OwnLimits } from '#libs/budget';
import { ClientStore, machineAccountOf } from '#libs/oauth';
import type { Credits } from './values.js';

/** The account of a budget: who it is charged for, how an event names them, and how they are kept meanwhile. */
interface Holder {
  readonly account: string;
  readonly named: { readonly userId: string | null; readonly clientId?: string };
  readonly whileThere: (work: (manager: EntityManager) => Promise<void>) => Promise<unknown>;
}

/** Daily budgets of accounts and of machine clients, for operators. */
@Injectable()
export class BudgetAdministrationService {
  constructor(
    private readonly users: UserDirectoryService,
    private readonly budgets: BudgetService,
    private readonly ownLimits: OwnLimits,
    private readonly events: SecurityEventsService,
    private readonly clients: ClientStore,
  ) {}

  /** `ownLimit` is null where the account has the default limit. */
  async show(user: string) {
    return { user, ...(await this.read(await this.person(user))) };
  }

  /** As `show`. Throws RefusalError 404 for a client that is no machine client. */
  async showMachine(client: string) {
    return { client, ...(await this.read(await this.machine(client))) };
  }

  /** Sets the account's own daily limit. Changes nothing when the budget cannot be read. */
  async set(user: string, credits: Credits, actor: string) {
    await this.change(await this.person(user), credits, actor);
    return this.show(user);
  }

  /** As `set`. Throws RefusalError 404 for a client that is no machine client. */
  async setMachine(client: string, credits: Credits, actor: string) {
    await this.change(await this.machine(client), credits, actor);
    return this.showMachine(client);
  }

  /** Sets today's use to zero. */
  async reset(user: string, actor: string) {
    await this.forgetUse(await this.person(user), actor);
    return this.show(user);
  }

  /** As `reset`. Throws RefusalError 404 for a client that is no machine client. */
  async resetMachine(client: string, actor: string) {
    await this.forgetUse(await this.machine(client), actor);
    return this.showMachine(client);
  }

  private async person(user: string): Promise<Holder> {
    await this.users.get(user);
    return {
      account: user,
      named: { userId: user },
      whileThere: (work) => this.users.whileThere(user, work),
    };
  }

  private async machine(clientId: string): Promise<Holder> {
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

  private async read({ account }: Holder) {
    const ownLimit = (await this.ownLimits.find(account)) ?? null;
    return { ...(await this.budgets.read(account)), ownLimit };
  }

  private async change(holder: Holder, credits: Credits, actor: string) {
    const { account, named, whileThere } = holder;
    await this.read(holder);
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
  }

  private async forgetUse({ account, named }: Holder, actor: string) {
    await this.budgets.reset(account);
    this.events.emit({ type: 'budget-reset', ...named, origin: '', actor });
  }
}
