import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { Semaphore, isNestedDeeper, timeLimit } from '#libs/platform';
import {
  CodeBusyError,
  CodeCancelledError,
  type CodeOutcome,
  CodeOutOfMemoryError,
  type CodeResult,
  CodeResultError,
  type CodeRun,
  CodeRunner,
  CodeThrewError,
  CodeTimeUpError,
  HARD_MARGIN_MS,
  MAX_JSON_DEPTH,
} from './code-runner.js';
import { RunEndedError, WorkerPool, WORKERS } from './worker-pool.js';

export const MAX_WAITING_PER_WORKER = 16;
const WORKER_WAIT_MS = 2_000;
const STOPPING = 'the server is stopping';

/**
 * QuickJS in WebAssembly, a new instance per run, in worker threads; a worker whose code does not end is
 * terminated.
 */
@Injectable()
export class QuickJsCodeRunner extends CodeRunner implements OnModuleDestroy {
  private readonly logger = new Logger(QuickJsCodeRunner.name);
  private readonly pool = new WorkerPool();
  private readonly workers = new Semaphore({
    inAll: WORKERS,
    keepsOne: true,
    maxWaiting: WORKERS * MAX_WAITING_PER_WORKER,
  });
  private isClosed = false;

  override async run(run: CodeRun): Promise<CodeResult> {
    if (this.isClosed) throw new CodeBusyError(STOPPING);
    if (!(await this.workers.acquire(run.userId, timeLimit(WORKER_WAIT_MS, run.signal)))) {
      if (run.signal?.aborted) throw new CodeCancelledError(undefined);
      throw new CodeBusyError('the server is busy with other code');
    }
    try {
      await run.expectAllowed?.();
      return resultOf(await this.runOnWorker(run), run.timeoutMs);
    } finally {
      this.workers.release(run.userId);
    }
  }

  async onModuleDestroy() {
    this.isClosed = true;
    await this.pool.destroy();
  }

  private async runOnWorker({ code, input, timeoutMs, signal }: CodeRun): Promise<CodeOutcome> {
    if (this.isClosed) throw new CodeBusyError(STOPPING);
    const task = { code, input: JSON.stringify(input ?? null), timeoutMs };
    try {
      return await this.pool.run(task, timeoutMs + HARD_MARGIN_MS, signal);
    } catch (error) {
      throw this.failureOf(error, timeoutMs);
    }
  }

  private failureOf(error: unknown, timeoutMs: number): unknown {
    if (!(error instanceof RunEndedError)) return error;
    if (this.isClosed) return new CodeBusyError(STOPPING);
    const { reason, runMs } = error;
    if (reason === 'cancelled') return new CodeCancelledError(runMs, { cause: error });
    if (reason === 'time' && runMs !== undefined) return timeUp(timeoutMs, runMs);
    this.logger.warn(`${error.message}: ${String(error.cause)}`);
    if (reason === 'restart') return new CodeBusyError('the workers for code had to be restarted');
    if (runMs === undefined) return new CodeBusyError('no worker could be started');
    return outOfMemory(runMs);
  }
}

const timeUp = (timeoutMs: number, runMs: number, logs?: readonly string[]) =>
  new CodeTimeUpError(`it did not end within ${timeoutMs} ms`, runMs, logs);

const outOfMemory = (runMs: number, logs?: readonly string[]) =>
  new CodeOutOfMemoryError('it ran out of memory (32 MiB) or of stack', runMs, logs);

function resultOf({ ending, logs, runMs }: CodeOutcome, timeoutMs: number): CodeResult {
  switch (ending.kind) {
    case 'value': {
      const value: unknown = JSON.parse(ending.json);
      if (isNestedDeeper(value, MAX_JSON_DEPTH)) {
        const problem = `what it returned is nested more than ${MAX_JSON_DEPTH} levels deep`;
        throw new CodeResultError(problem, runMs, logs);
      }
      return { value, remarks: ending.remarks, logs, runMs };
    }
    case 'threw':
      throw new CodeThrewError(`it threw ${ending.message}`, runMs, logs);
    case 'unusable':
      throw new CodeResultError(`what it returned is not usable: ${ending.message}`, runMs, logs);
    case 'unsettled':
      throw new CodeResultError('it waits for a promise that nothing settles', runMs, logs);
    case 'timeout':
      throw timeUp(timeoutMs, runMs, logs);
    case 'memory':
      throw outOfMemory(runMs, logs);
  }
}
