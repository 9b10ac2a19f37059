import { Injectable, Logger } from '@nestjs/common';
import { BudgetExhaustedError, type BudgetReservation, BudgetService } from '#libs/budget';
import { RunsUnavailableError } from '../limits/run-limit.error.js';
import { codePrice, highestPrice } from './code-price.js';

/** Reserves the maximum price of a run before it begins, and gives the unused part back. */
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

  /** Gives everything back: nothing ran. */
  async cancel(reservation: BudgetReservation): Promise<void> {
    await this.settle(reservation, 0);
  }

  /** Returns the price of the run: at most what was reserved, and all of it when settling fails. */
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
