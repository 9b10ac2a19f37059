import { Injectable, type OnModuleInit } from '@nestjs/common';
import { UserDeletionService } from '#libs/accounts';
import { BudgetService } from '#libs/budget';

/** Deletes an account's spending together with the account. */
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
