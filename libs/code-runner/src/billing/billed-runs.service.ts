import { Injectable, Logger } from '@nestjs/common';
import { BudgetExhaustedError, type BudgetReservation, BudgetService } from '#libs/budget';
import { whileWaiting } from '#libs/platform';
import { RunsUnavailableError } from '../limits/user-run-limit.js';
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

abstract class ChargedRunError<Cause extends Error> extends Error {
  constructor(
    override readonly cause: Cause,
    readonly creditsUsed: number,
  ) {
    super(cause.message);
    this.name = new.target.name;
  }
}

/** The code was screened, which was charged, but not run. The caller may try later. */
export class UnstartedRunError extends ChargedRunError<CodeBusyError> {}

export class FailedRunError extends ChargedRunError<CodeFailure> {}

const MS_PER_CREDIT = 10;

/** Credits for code that ran: one per started 10 ms, at least one. */
export const codePrice = (runMs: number): number => Math.max(1, Math.ceil(runMs / MS_PER_CREDIT));

export const highestPrice = (timeoutMs: number): number => codePrice(timeoutMs + HARD_MARGIN_MS);

/** The longest timeout that these credits cover; 0 when they cover none. */
export const affordableTimeoutMs = (credits: number): number =>
  Math.max(0, credits * MS_PER_CREDIT - HARD_MARGIN_MS);

interface AppCodeRun extends CodeRun {
  /** The app's name as shown to its user. */
  readonly app: string;
  readonly isMachine?: true | undefined;
}

interface BilledResult extends Pick<CodeResult, 'value' | 'remarks' | 'logs'> {
  /** For the screening and the run together. */
  readonly creditsUsed: number;
}

/** Runs code within its user's concurrency limit, after screening it, and bills it to the user's daily budget. */
@Injectable()
export class BilledRunsService {
  private readonly logger = new Logger(BilledRunsService.name);

  constructor(
    private readonly queue: RunQueueService,
    private readonly budgets: BudgetService,
    private readonly screening: ScreeningService,
    private readonly runner: CodeRunner,
  ) {}

  /**
   * @throws TooManyRunsError, RunsUnavailableError, BudgetExhaustedError, ScreeningError, UnstartedRunError: nothing
   * ran, no run was charged; FailedRunError: it ran, was charged and failed; CodeCancelledError: `signal` ended it,
   * and its time so far is charged
   */
  async run(run: AppCodeRun): Promise<BilledResult> {
    return whileWaiting(() => this.runInTurn(run));
  }

  private async runInTurn(run: AppCodeRun): Promise<BilledResult> {
    const release = await this.queue.enter(run.userId, run.signal);
    try {
      // The app may have other daily credits by now.
      await run.expectAllowed?.();
      const reservation = await this.reserve(run);
      await this.screen(run, reservation);
      return await this.runReserved(run, reservation);
    } finally {
      await release();
    }
  }

  private async reserve({ userId, timeoutMs }: AppCodeRun): Promise<BudgetReservation> {
    try {
      return await this.budgets.reserve(userId, highestPrice(timeoutMs));
    } catch (error) {
      if (error instanceof BudgetExhaustedError) throw error;
      throw new RunsUnavailableError('runs cannot be charged', { cause: error });
    }
  }

  private async screen(
    { userId, app, isMachine, code, signal }: AppCodeRun,
    reservation: BudgetReservation,
  ) {
    try {
      await this.screening.check({ userId, app, isMachine, text: code }, signal);
    } catch (cause) {
      await this.settle(reservation);
      throw signal?.aborted ? new CodeCancelledError(undefined, { cause }) : cause;
    }
  }

  private async runReserved(
    run: AppCodeRun,
    reservation: BudgetReservation,
  ): Promise<BilledResult> {
    const screeningCredits = screeningPrice(run.code);
    try {
      // A runner of a team may not ask.
      await run.expectAllowed?.();
      const { runMs, ...result } = await this.runner.run(run);
      const runCredits = await this.settle(reservation, runMs);
      return { ...result, creditsUsed: screeningCredits + runCredits };
    } catch (error) {
      const hasRun = error instanceof CodeFailure || error instanceof CodeCancelledError;
      const runCredits = await this.settle(reservation, hasRun ? error.runMs : undefined);
      if (error instanceof CodeFailure) {
        throw new FailedRunError(error, screeningCredits + runCredits);
      }
      throw error instanceof CodeBusyError ? new UnstartedRunError(error, screeningCredits) : error;
    }
  }

  /** Charges a run that began and gives the rest back. Returns the price: all that was reserved when this fails. */
  private async settle(reservation: BudgetReservation, runMs?: number): Promise<number> {
    const credits = runMs === undefined ? 0 : Math.min(codePrice(runMs), reservation.amount);
    try {
      await this.budgets.settle(reservation, credits);
      return credits;
    } catch (error) {
      this.logger.warn(`a run of code keeps all that it reserved: ${String(error)}`);
      return reservation.amount;
    }
  }
}
