import { Body, Controller, Get, Param, Post, Put } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { BudgetAdministrationService } from './budget.service.js';
import { Operation } from './http/admin-document.js';
import { Actor } from './http/admin-token.guard.js';
import { TakenBy, TIME } from './operation/page.dto.js';
import { CREDITS, type Credits, isCredits, MOST_CREDITS } from './operation/values.js';

class BudgetRequest {
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

@Controller('admin/budgets')
export class BudgetsController {
  constructor(private readonly budgets: BudgetAdministrationService) {}

  @Get(':user')
  @Operation('What an account used and may use today', ShownBudget)
  showBudget(@Param('user') user: string): Promise<ShownBudget> {
    return this.budgets.show({ user });
  }

  @Put(':user')
  @Operation('Gives an account a daily limit of its own, or the default again', ShownBudget)
  setBudget(
    @Param('user') user: string,
    @Body() { credits }: BudgetRequest,
    @Actor() actor: string,
  ): Promise<ShownBudget> {
    return this.budgets.set({ user }, credits, actor);
  }

  @Post(':user/reset')
  @Operation('Forgets what an account used today', ShownBudget)
  resetBudget(@Param('user') user: string, @Actor() actor: string): Promise<ShownBudget> {
    return this.budgets.reset({ user }, actor);
  }
}

@Controller('admin/clients/:id/budget')
export class MachineBudgetsController {
  constructor(private readonly budgets: BudgetAdministrationService) {}

  @Get()
  @Operation('What a machine client used and may use today', ShownMachineBudget)
  showMachineBudget(@Param('id') client: string): Promise<ShownMachineBudget> {
    return this.budgets.show({ client });
  }

  @Put()
  @Operation(
    'Gives a machine client a daily limit of its own, or the default again',
    ShownMachineBudget,
  )
  setMachineBudget(
    @Param('id') client: string,
    @Body() { credits }: BudgetRequest,
    @Actor() actor: string,
  ): Promise<ShownMachineBudget> {
    return this.budgets.set({ client }, credits, actor);
  }

  @Post('reset')
  @Operation('Forgets what a machine client used today', ShownMachineBudget)
  resetMachineBudget(
    @Param('id') client: string,
    @Actor() actor: string,
  ): Promise<ShownMachineBudget> {
    return this.budgets.reset({ client }, actor);
  }
}
