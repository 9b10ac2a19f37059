import { Injectable, Logger } from '@nestjs/common';
import { BudgetExhaustedError, type BudgetReservation, BudgetService } from '#libs/budget';
import { RunsUnavailableError } from '../limits/run-limit.error.js';
import { codePrice, highestPrice } from './code-price.js';

/** Charges the most that a run may cost before it begins, and gives back what it did not cost. */
@Injectable()
export class RunChargesService {
  private readonly logger = new Logger(RunChargesService.name);

  constructor(private readonly budgets: BudgetService) {}

  /** @throws BudgetExhaustedError, RunsUnavailableError */
  async reserve(userId: string, timeoutMs: number): Promise<BudgetReservation> {
    try {
      return await this.budgets.reserve(userId, highestPrice(timeoutMs));
    } catch (error) {
      if (error instanceof BudgetExhaustedError) throw error;
      throw new RunsUnavailableError('runs cannot be charged', { cause: error });
    }
  }

  /** Nothing ran. */
  async cancel(reservation: BudgetReservation): Promise<void> {
    await this.settle(reservation, 0);
  }

  /** What the run cost: never more than was reserved, and all of that when it cannot be settled. */
  async charge(reservation: BudgetReservation, runMs: number): Promise<number> {
    return this.settle(reservation, Math.min(codePrice(runMs), reservation.amount));
  }

  private async settle(reservation: BudgetReservation, credits: number) {
    try {
      await this.budgets.settle(reservation, credits);
      return credits;
    } catch (error) {
      this.logger.warn(`a run of code keeps all that it reserved: ${String(error)}`);
      return reservation.amount;
    }
  }
}
