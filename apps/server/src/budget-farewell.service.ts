import { Injectable, type OnModuleInit } from '@nestjs/common';
import { UserDeletionService } from '#libs/accounts';
import { BudgetService } from '#libs/budget';

/** What an account spent goes with it. */
@Injectable()
export class BudgetFarewellService implements OnModuleInit {
  constructor(
    private readonly deletions: UserDeletionService,
    private readonly budgets: BudgetService,
  ) {}

  onModuleInit() {
    this.deletions.before((manager, userId) => this.budgets.forget(userId, manager));
  }
}
