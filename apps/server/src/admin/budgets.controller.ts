import { Body, Controller, Get, Param, Post, Put } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import type { EntityManager } from 'typeorm';
import { RefusalError, SecurityEventsService, UserDirectoryService } from '#libs/accounts';
import { BudgetService, OwnLimits } from '#libs/budget';
import { ClientStore, machineAccountOf } from '#libs/oauth';
import { CommandOption, digits, TakenBy, TIME } from './operation/input.js';
import { Actor, Operation } from './operation/operation.js';
import { CREDITS, type Credits, isCredits, MOST_CREDITS } from './operation/values.js';

export class BudgetRequest {
  @CommandOption('<credits>', 'or default', { parse: digits })
  @ApiProperty({
    anyOf: [
      { type: 'integer', minimum: 0, maximum: MOST_CREDITS },
      { type: 'string', enum: ['default'] },
    ],
  })
  @TakenBy(isCredits, CREDITS)
  credits!: Credits;
}

class Balance {
  @ApiProperty({ type: 'integer' }) used!: number;
  @ApiProperty({ type: 'integer' }) limit!: number;
  @ApiProperty(TIME) resetsAt!: string;
  /** Null where the owner has the default limit. */
  @ApiProperty({ type: 'integer', nullable: true }) ownLimit!: number | null;
}

class ShownBudget extends Balance {
  @ApiProperty() user!: string;
}

class ShownMachineBudget extends Balance {
  @ApiProperty() client!: string;
}

/** The account that a budget is charged to, how events name its owner, and what keeps the owner during a change. */
interface Owner {
  readonly account: string;
  readonly named: { readonly userId: string | null; readonly clientId?: string };
  readonly whileThere: (work: (manager: EntityManager) => Promise<void>) => Promise<unknown>;
}

const limitSet = ({ limit }: Balance) => `Limit: ${limit} credits a day.`;
const usedToday = ({ used }: Balance) => `Used today: ${used} credits.`;

@Controller('admin')
export class BudgetsController {
  constructor(
    private readonly users: UserDirectoryService,
    private readonly budgets: BudgetService,
    private readonly ownLimits: OwnLimits,
    private readonly events: SecurityEventsService,
    private readonly clients: ClientStore,
  ) {}

  @Get('budgets/:user')
  @Operation('What an account used and may use today', ShownBudget, { command: 'budget show <id>' })
  async showBudget(@Param('user') user: string) {
    return { user, ...(await this.read(await this.userOf(user))) };
  }

  @Put('budgets/:user')
  @Operation('Gives an account a daily limit of its own, or the default again', ShownBudget, {
    command: 'budget set <id>',
    says: limitSet,
  })
  async setBudget(
    @Param('user') user: string,
    @Body() { credits }: BudgetRequest,
    @Actor() actor: string,
  ) {
    return { user, ...(await this.set(await this.userOf(user), credits, actor)) };
  }

  @Post('budgets/:user/reset')
  @Operation('Forgets what an account used today', ShownBudget, {
    command: 'budget reset <id>',
    asks: async (controller: BudgetsController, user: string) => {
      const { used } = await controller.showBudget(user);
      return `Forget the ${used} credits that account ${user} used today?`;
    },
    says: usedToday,
  })
  async resetBudget(@Param('user') user: string, @Actor() actor: string) {
    return { user, ...(await this.reset(await this.userOf(user), actor)) };
  }

  @Get('clients/:id/budget')
  @Operation('What a machine client used and may use today', ShownMachineBudget, {
    command: 'budget show --client <id>',
  })
  async showMachineBudget(@Param('id') client: string) {
    return { client, ...(await this.read(await this.machineOf(client))) };
  }

  @Put('clients/:id/budget')
  @Operation(
    'Gives a machine client a daily limit of its own, or the default again',
    ShownMachineBudget,
    { command: 'budget set --client <id>', says: limitSet },
  )
  async setMachineBudget(
    @Param('id') client: string,
    @Body() { credits }: BudgetRequest,
    @Actor() actor: string,
  ) {
    return { client, ...(await this.set(await this.machineOf(client), credits, actor)) };
  }

  @Post('clients/:id/budget/reset')
  @Operation('Forgets what a machine client used today', ShownMachineBudget, {
    command: 'budget reset --client <id>',
    asks: async (controller: BudgetsController, client: string) => {
      const { used } = await controller.showMachineBudget(client);
      return `Forget the ${used} credits that client ${client} used today?`;
    },
    says: usedToday,
  })
  async resetMachineBudget(@Param('id') client: string, @Actor() actor: string) {
    return { client, ...(await this.reset(await this.machineOf(client), actor)) };
  }

  private async userOf(userId: string): Promise<Owner> {
    await this.users.get(userId);
    const whileThere: Owner['whileThere'] = (work) => this.users.whileThere(userId, work);
    return { account: userId, named: { userId }, whileThere };
  }

  private async machineOf(clientId: string): Promise<Owner> {
    const { kind } = await this.clients.get(clientId);
    if (kind !== 'machine')
      throw new RefusalError(404, 'this client has no budget: it spends that of its users');
    const whileThere: Owner['whileThere'] = (work) => this.clients.whileThere(clientId, work);
    return { account: machineAccountOf(clientId), named: { userId: null, clientId }, whileThere };
  }

  private async read({ account }: Owner) {
    const ownLimit = (await this.ownLimits.find(account)) ?? null;
    return { ...(await this.budgets.read(account)), ownLimit };
  }

  /** Changes nothing when the budget cannot be read. */
  private async set(owner: Owner, credits: Credits, actor: string) {
    const { account, named, whileThere } = owner;
    await this.read(owner);
    await whileThere((manager) =>
      credits === 'default'
        ? this.ownLimits.remove(account, manager)
        : this.ownLimits.set(account, credits, manager),
    );
    const facts = credits === 'default' ? {} : { limit: credits };
    const about = { detail: String(credits), facts };
    this.events.emit({ type: 'budget-set', ...named, origin: '', actor, ...about });
    return this.read(owner);
  }

  private async reset(owner: Owner, actor: string) {
    await this.budgets.reset(owner.account);
    this.events.emit({ type: 'budget-reset', ...owner.named, origin: '', actor });
    return this.read(owner);
  }
}
