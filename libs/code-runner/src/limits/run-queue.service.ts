import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import { OutageLog, Semaphore, timeLimit } from '#libs/platform';
import { CodeCancelledError } from '../runner/code-runner.js';
import { RunsUnavailableError, TooManyRunsError, UserRunLimit } from './user-run-limit.js';

const WAIT_MS = 2_000;
const RETRY_MS = 50;
const MAX_WAITING_PER_USER = 4;
/** Longer than screening, waiting for a worker and the longest run take together. */
const LEASE_MS = 30_000;

/**
 * Runs wait here for the UserRunLimit of their user: at most `MAX_WAITING_PER_USER` per user, for up to two
 * seconds. CodeRunner decides which run gets a worker of this replica.
 */
@Injectable()
export class RunQueueService {
  private readonly outage = new OutageLog(new Logger(RunQueueService.name));
  private readonly waiting = new Semaphore({ perKey: MAX_WAITING_PER_USER });

  constructor(private readonly limit: UserRunLimit) {}

  /**
   * Resolves when the run may begin, to the function that releases its slot, which never fails.
   * @throws TooManyRunsError, RunsUnavailableError
   * @throws CodeCancelledError when `signal` fires before that
   */
  async enter(userId: string, signal?: AbortSignal): Promise<() => Promise<void>> {
    const runId = randomUUID();
    const isAdmitted = !signal?.aborted && (await this.isAdmitted(userId, runId, signal));
    if (isAdmitted) return () => this.release(userId, runId);
    throw signal?.aborted ? new CodeCancelledError(undefined) : new TooManyRunsError();
  }

  private async isAdmitted(userId: string, runId: string, signal?: AbortSignal) {
    try {
      if (await this.limit.acquire(userId, runId, LEASE_MS)) return true;
      return await this.isAdmittedLater(userId, runId, signal);
    } catch (cause) {
      // Perhaps only the answer was lost; the run would then count until its lease ends.
      void this.release(userId, runId);
      throw new RunsUnavailableError('runs cannot be counted', { cause });
    }
  }

  private async isAdmittedLater(userId: string, runId: string, signal?: AbortSignal) {
    if (!this.waiting.tryAcquire(userId)) return false;
    const end = timeLimit(WAIT_MS, signal);
    try {
      for (;;) {
        await sleep(RETRY_MS);
        if (end.aborted) return false;
        if (await this.limit.acquire(userId, runId, LEASE_MS)) return true;
      }
    } finally {
      this.waiting.release(userId);
    }
  }

  private async release(userId: string, runId: string) {
    const release = () => this.limit.release(userId, runId);
    await this.outage.watch(release, 'a run counts until its lease ends');
  }
}
