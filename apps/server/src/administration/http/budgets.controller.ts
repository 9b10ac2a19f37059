import { Body, Controller, Get, Param, Post, Put } from '@nestjs/common';
import { BudgetAdministrationService } from '../budget-administration.service.js';
import { Actor } from './admin-token.guard.js';
import { BudgetRequest, ShownBudget } from './dto/budgets.dto.js';
import { Operation } from './operation.decorator.js';

@Controller('admin/budgets')
export class BudgetsController {
  constructor(private readonly budgets: BudgetAdministrationService) {}

  @Get(':user')
  @Operation('What an account used and may use today', ShownBudget)
  showBudget(@Param('user') user: string): Promise<ShownBudget> {
    return this.budgets.show(user);
  }

  @Put(':user')
  @Operation('Gives an account a daily limit of its own, or the default again', ShownBudget)
  setBudget(
    @Param('user') user: string,
    @Body() { credits }: BudgetRequest,
    @Actor() actor: string,
  ): Promise<ShownBudget> {
    return this.budgets.set(user, credits === 'default' ? undefined : credits, actor);
  }

  @Post(':user/reset')
  @Operation('Forgets what an account used today', ShownBudget)
  resetBudget(@Param('user') user: string, @Actor() actor: string): Promise<ShownBudget> {
    return this.budgets.reset(user, actor);
  }
}
