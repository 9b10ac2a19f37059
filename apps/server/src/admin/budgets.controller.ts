import { Body, Controller, Get, Param, Post, Put } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { BudgetAdministrationService, type BudgetOwner } from './budget.service.js';
import { CommandOption, digits, TakenBy, TIME } from './operation/input.js';
import { Actor, Operation } from './operation/operation.js';
import { CREDITS, type Credits, isCredits, MOST_CREDITS } from './operation/values.js';

class BudgetRequest {
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
  @ApiProperty({ type: 'integer', nullable: true }) ownLimit!: number | null;
}

class ShownBudget extends Balance {
  @ApiProperty() user!: string;
}

class ShownMachineBudget extends Balance {
  @ApiProperty() client!: string;
}

const limitSet = ({ limit }: Balance) => `Limit: ${limit} credits a day.`;
const usedToday = ({ used }: Balance) => `Used today: ${used} credits.`;

async function resetQuestion(budgets: BudgetAdministrationService, owner: BudgetOwner) {
  const { used } = await budgets.show(owner);
  const name = 'user' in owner ? `account ${owner.user}` : `client ${owner.client}`;
  return `Forget the ${used} credits that ${name} used today?`;
}

@Controller('admin/budgets')
export class BudgetsController {
  constructor(private readonly budgets: BudgetAdministrationService) {}

  @Get(':user')
  @Operation('What an account used and may use today', ShownBudget, { command: 'budget show <id>' })
  showBudget(@Param('user') user: string) {
    return this.budgets.show({ user });
  }

  @Put(':user')
  @Operation('Gives an account a daily limit of its own, or the default again', ShownBudget, {
    command: 'budget set <id>',
    says: limitSet,
  })
  setBudget(
    @Param('user') user: string,
    @Body() { credits }: BudgetRequest,
    @Actor() actor: string,
  ) {
    return this.budgets.set({ user }, credits, actor);
  }

  @Post(':user/reset')
  @Operation('Forgets what an account used today', ShownBudget, {
    command: 'budget reset <id>',
    asks: ({ budgets }: BudgetsController, user: string) => resetQuestion(budgets, { user }),
    says: usedToday,
  })
  resetBudget(@Param('user') user: string, @Actor() actor: string) {
    return this.budgets.reset({ user }, actor);
  }
}

@Controller('admin/clients/:id/budget')
export class MachineBudgetsController {
  constructor(private readonly budgets: BudgetAdministrationService) {}

  @Get()
  @Operation('What a machine client used and may use today', ShownMachineBudget, {
    command: 'budget show --client <id>',
  })
  showMachineBudget(@Param('id') client: string) {
    return this.budgets.show({ client });
  }

  @Put()
  @Operation(
    'Gives a machine client a daily limit of its own, or the default again',
    ShownMachineBudget,
    { command: 'budget set --client <id>', says: limitSet },
  )
  setMachineBudget(
    @Param('id') client: string,
    @Body() { credits }: BudgetRequest,
    @Actor() actor: string,
  ) {
    return this.budgets.set({ client }, credits, actor);
  }

  @Post('reset')
  @Operation('Forgets what a machine client used today', ShownMachineBudget, {
    command: 'budget reset --client <id>',
    asks: ({ budgets }: MachineBudgetsController, client: string) =>
      resetQuestion(budgets, { client }),
    says: usedToday,
  })
  resetMachineBudget(@Param('id') client: string, @Actor() actor: string) {
    return this.budgets.reset({ client }, actor);
  }
}
