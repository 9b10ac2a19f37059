import { Injectable, Logger } from '@nestjs/common';
import { BudgetExhaustedError, type BudgetReservation, BudgetService } from '#libs/budget';
import { whileWaiting } from '#libs/platform';
import { RunCancelledError, RunsUnavailableError } from '../limits/user-run-limit.js';
import { RunQueueService } from '../limits/run-queue.service.js';
import {
  CodeBusyError,
  CodeCancelledError,
  CodeFailure,
  type CodeResult,
  type CodeRun,
  CodeRunner,
  HARD_MARGIN_MS,
} from '../runner/code-runner.js';
import { screeningPrice, ScreeningService } from '../screening/screening.service.js';

/** The code was screened, which was charged, but not run: `message` says why. The caller may try later. */
export class UnstartedRunError extends Error {
  override name = 'UnstartedRunError';

  constructor(
    cause: CodeBusyError,
    readonly creditsUsed: number,
  ) {
    super(cause.message, { cause });
  }
}

/** The code ran, was charged and failed. */
export class FailedRunError extends Error {
  override name = 'FailedRunError';

  constructor(
    readonly failure: CodeFailure,
    readonly creditsUsed: number,
  ) {
    super(failure.message, { cause: failure });
  }
}

const MS_PER_CREDIT = 10;

/** Credits for code that ran: one per started 10 ms, at least one. */
export const codePrice = (runMs: number): number => Math.max(1, Math.ceil(runMs / MS_PER_CREDIT));

/** The maximum price of a run, which is reserved before it begins. */
export const highestPrice = (timeoutMs: number): number => codePrice(timeoutMs + HARD_MARGIN_MS);

/** The longest timeout that these credits cover; 0 when they cover none. */
export const affordableTimeoutMs = (credits: number): number =>
  Math.max(0, credits * MS_PER_CREDIT - HARD_MARGIN_MS);

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

/** A run of code for an app. */
interface AppCodeRun extends CodeRun {
  /** The app's name as shown to its user. */
  readonly app: string;
}

interface BilledResult extends Pick<CodeResult, 'value' | 'remarks' | 'logs'> {
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
