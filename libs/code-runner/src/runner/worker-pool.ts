import { availableParallelism } from 'node:os';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { Logger } from '@nestjs/common';
import { Piscina } from 'piscina';
import type { CodeOutcome, CodeTask } from './code-runner.js';

export const WORKERS = availableParallelism();

const START_WAIT_MS = 10_000;
const IDLE_MS = 60_000;
/** Limits for the thread's own JavaScript; the code's memory belongs to WebAssembly and has its own limit. */
const RESOURCE_LIMITS = {
  maxOldGenerationSizeMb: 64,
  maxYoungGenerationSizeMb: 16,
  stackSizeMb: 16,
};

/** Ended from outside after `runMs`; undefined when it had not begun, or was ended because of another run. */
export class RunEndedError extends Error {
  override name = 'RunEndedError';

  constructor(
    readonly reason: 'cancelled' | 'time' | 'not started' | 'crash' | 'restart',
    readonly runMs: number | undefined,
    options?: ErrorOptions,
  ) {
    super(`run ended: ${reason}`, options);
  }
}

type Pool = Piscina<CodeTask & { started: MessagePort }, CodeOutcome>;

/** Worker threads, started on demand and terminated after a minute without work. */
export class WorkerPool {
  private readonly logger = new Logger(WorkerPool.name);
  private piscina: Pool | undefined;

  /**
   * The caller makes at most WORKERS calls at once. @throws RunEndedError `hardLimitMs` after the code began, when
   * `signal` fires, when the worker dies, or when all restart because of another run
   */
  async run(task: CodeTask, hardLimitMs: number, signal?: AbortSignal): Promise<CodeOutcome> {
    const pool = (this.piscina ??= this.open());
    const ending = new AbortController();
    const { port1: heard, port2: started } = new MessageChannel();
    let startedAt: number | undefined;
    let timer = setTimeout(() => ending.abort(), START_WAIT_MS);
    heard.once('message', () => {
      startedAt = performance.now();
      clearTimeout(timer);
      timer = setTimeout(() => ending.abort(), hardLimitMs);
    });
    try {
      const signals = signal ? [ending.signal, signal] : [ending.signal];
      const options = { signal: AbortSignal.any(signals), transferList: [started] };
      return await pool.run({ ...task, started }, options);
    } catch (cause) {
      const runMs = startedAt === undefined ? undefined : performance.now() - startedAt;
      if (signal?.aborted) throw new RunEndedError('cancelled', runMs, { cause });
      if (this.piscina !== pool) throw new RunEndedError('restart', undefined, { cause });
      if (runMs === undefined) await this.destroy();
      if (!ending.signal.aborted) throw new RunEndedError('crash', runMs, { cause });
      throw new RunEndedError(runMs === undefined ? 'not started' : 'time', runMs, { cause });
    } finally {
      clearTimeout(timer);
      heard.close();
    }
  }

  /** Terminates all workers; a later run starts new ones. */
  async destroy() {
    const pool = this.piscina;
    this.piscina = undefined;
    await pool?.destroy();
  }

  private open() {
    const pool: Pool = new Piscina({
      filename: workerFile(),
      name: 'runCode',
      minThreads: 0,
      maxThreads: WORKERS,
      idleTimeout: IDLE_MS,
      env: {},
      resourceLimits: RESOURCE_LIMITS,
    });
    pool.on('error', (error: unknown) => {
      this.logger.error(`a worker for code failed: ${String(error)}`);
      if (this.piscina === pool) void this.destroy();
    });
    return pool;
  }
}

const workerFile = () =>
  fileURLToPath(new URL(`./quickjs.worker${extname(import.meta.url)}`, import.meta.url));
