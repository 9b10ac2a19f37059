import { Injectable } from '@nestjs/common';
import type { BudgetReservation } from '#libs/budget';
import { whileWaiting } from '#libs/platform';
import { ScreeningService } from '../screening/screening.service.js';
import { screeningPrice } from '../screening/screening-price.js';
import { CodeBusyError, CodeCancelledError, CodeFailure } from '../runner/code-failure.js';
import { type CodeResult, type CodeRun, CodeRunner } from '../runner/code-runner.js';
import { RunCancelledError } from '../limits/run-limit.error.js';
import { RunQueueService } from '../limits/run-queue.service.js';
import { FailedRunError, UnstartedRunError } from './billed-run.error.js';
import { RunChargesService } from './run-charges.service.js';

/** A run of code for an app. */
export interface AppCodeRun extends CodeRun {
  /** The app's name as shown to its user. */
  readonly app: string;
}

export interface BilledResult extends Pick<CodeResult, 'value' | 'remarks' | 'logs'> {
  /** For the screening and the run together. */
  readonly creditsUsed: number;
}

/** Runs code within its user's concurrency limit, after screening it, and bills it to the user's daily budget. */
@Injectable()
export class BilledRunsService {
  constructor(
    private readonly queue: RunQueueService,
    private readonly charges: RunChargesService,
    private readonly screening: ScreeningService,
    private readonly runner: CodeRunner,
  ) {}

  /**
   * @throws TooManyRunsError, RunsUnavailableError, BudgetExhaustedError, ScreeningError, UnstartedRunError:
   * nothing ran and no run was charged; neither was one when the runner itself fails
   * @throws FailedRunError when the code ran, was charged and failed
   * @throws RunCancelledError when `signal` fired first: the run was ended, and its time so far charged
   */
  async run(run: AppCodeRun): Promise<BilledResult> {
    const release = await whileWaiting(() => this.queue.enter(run.userId, run.signal));
    try {
      const reservation = await this.charges.reserve(run.userId, run.timeoutMs);
      await this.screen(run, reservation);
      return await this.runReserved(run, reservation);
    } finally {
      await release();
    }
  }

  private async screen(run: AppCodeRun, reservation: BudgetReservation) {
    const { userId, app, code, signal } = run;
    try {
      await this.screening.check({ userId, app, text: code }, signal);
    } catch (error) {
      await this.charges.cancel(reservation);
      throw signal?.aborted ? cancelled(error) : error;
    }
  }

  private async runReserved(
    run: AppCodeRun,
    reservation: BudgetReservation,
  ): Promise<BilledResult> {
    const screeningCredits = screeningPrice(run.code);
    try {
      const { runMs, ...result } = await whileWaiting(() => this.runner.run(run));
      const runCredits = await this.charges.charge(reservation, runMs);
      return { ...result, creditsUsed: screeningCredits + runCredits };
    } catch (error) {
      if (error instanceof CodeFailure) {
        const runCredits = await this.charges.charge(reservation, error.runMs);
        throw new FailedRunError(error, screeningCredits + runCredits);
      }
      if (error instanceof CodeCancelledError && error.runMs !== undefined) {
        await this.charges.charge(reservation, error.runMs);
      } else {
        await this.charges.cancel(reservation);
      }
      if (error instanceof CodeCancelledError) throw cancelled(error);
      throw error instanceof CodeBusyError ? new UnstartedRunError(error, screeningCredits) : error;
    }
  }
}

const cancelled = (cause: unknown) => new RunCancelledError('cancelled', { cause });
