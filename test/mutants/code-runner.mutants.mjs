const src = (name) => `libs/code-runner/src/${name}.ts`;
const specs = (...names) => names.map((name) => src(`${name}.spec`));

export const mutants = [
  {
    name: 'a screening refusal keeps the whole reservation',
    file: src('billing/billed-runs.service'),
    find: `    } catch (error) {
      await this.charges.cancel(reservation);
      throw error;
    }
  }

  private async runReserved`,
    replace: `    } catch (error) {
      throw error;
    }
  }

  private async runReserved`,
    project: 'unit',
    specs: specs('billing/billed-runs.service'),
  },
  {
    name: 'a run that did not begin keeps its reservation',
    file: src('billing/billed-runs.service'),
    find: `      await this.charges.cancel(reservation);
      throw error instanceof`,
    replace: '      throw error instanceof',
    project: 'unit',
    specs: specs('billing/billed-runs.service'),
  },
  {
    name: 'a run never leaves the limit of its user',
    file: src('billing/billed-runs.service'),
    find: 'await release();',
    replace: 'void release;',
    project: 'unit',
    specs: specs('billing/billed-runs.service'),
  },
  {
    name: 'the end of a run is not told to the limit',
    file: src('limits/run-queue.service'),
    find: 'await this.limit.release(userId, runId);',
    replace: '',
    project: 'unit',
    specs: specs('limits/run-queue.service', 'billing/billed-runs.service'),
  },
  {
    name: 'a run whose count was lost stays counted',
    file: src('limits/run-queue.service'),
    find: 'void this.release(userId, runId);',
    replace: '',
    project: 'unit',
    specs: specs('limits/run-queue.service'),
  },
  {
    name: 'the last free worker goes to a user who has one',
    file: src('limits/fair-semaphore'),
    find: '(free === 1 && !this.holders.includes(userId))',
    replace: 'free === 1',
    project: 'unit',
    specs: specs('limits/fair-semaphore'),
  },
  {
    name: 'a run never gives its worker back',
    file: src('runner/quickjs.adapter'),
    find: 'this.workers.release(run.userId);',
    replace: '',
    project: 'unit',
    specs: specs('runner/quickjs.results'),
  },
  {
    name: 'numbers and punctuation go to tabs for free',
    file: src('screening/screening.service'),
    find: 'const price = screeningPrice(JSON.stringify(value));',
    replace: 'const price = screeningPrice(textIn(value));',
    project: 'unit',
    specs: specs('screening/screening.service'),
  },
  {
    name: 'a failed screening is charged',
    file: src('screening/screening.service'),
    find: 'await this.budgets.settle(reservation, 0);',
    replace: '',
    project: 'unit',
    specs: specs('screening/screening.service'),
  },
  {
    name: 'the instance of a sandbox has no limit of memory',
    file: src('runner/sandbox'),
    find: 'maximum: MEMORY_BYTES / PAGE_BYTES,',
    replace: 'maximum: 32 * (MEMORY_BYTES / PAGE_BYTES),',
    project: 'unit',
    specs: specs('runner/quickjs.hostile'),
  },
  {
    name: 'the heap of a sandbox has no limit of memory',
    file: src('runner/sandbox'),
    find: 'runtime.setMemoryLimit(HEAP_BYTES);',
    replace: '',
    project: 'unit',
    specs: specs('runner/quickjs.hostile'),
  },
  {
    name: 'a run has no hard limit',
    file: src('runner/worker-pool.adapter'),
    find: 'timer = setTimeout(() => ending.abort(), hardLimitMs);',
    replace: '',
    project: 'unit',
    specs: specs('runner/worker-pool'),
  },
  {
    name: 'a brace too many closes the block that code runs in',
    file: src('runner/code-script'),
    find: '  if (problem !== undefined) return code;\n',
    replace: '',
    project: 'unit',
    specs: specs('runner/quickjs.values'),
  },
  {
    name: 'a directive is none in the block that code runs in',
    file: src('runner/code-script'),
    find: "code.includes('use strict') || ",
    replace: '',
    project: 'unit',
    specs: specs('runner/quickjs.values'),
  },
  {
    name: 'a cancelled run goes on',
    file: src('runner/worker-pool.adapter'),
    find: 'signal: AbortSignal.any(signals)',
    replace: 'signal: ending.signal',
    project: 'unit',
    specs: specs('runner/quickjs.cancel'),
  },
  {
    name: 'a run that is cancelled before it begins takes all workers with it',
    file: src('runner/worker-pool.adapter'),
    find: "      if (signal?.aborted) throw new RunEndedError('cancelled', runMs, { cause });\n",
    replace: '',
    project: 'unit',
    specs: specs('runner/quickjs.cancel'),
  },
  {
    name: 'who cancels keeps waiting for a worker',
    file: src('limits/fair-semaphore'),
    find: "signal?.addEventListener('abort', giveUp);",
    replace: '',
    project: 'unit',
    specs: specs('limits/fair-semaphore'),
  },
  {
    name: 'a cancelled run costs nothing',
    file: src('billing/billed-runs.service'),
    find: `        await this.charges.charge(reservation, error.runMs);
      } else {`,
    replace: '        await this.charges.cancel(reservation);\n      } else {',
    project: 'unit',
    specs: specs('billing/billed-runs.cancel'),
  },
  {
    name: 'a cancelled screening is free',
    file: src('screening/screening.service'),
    find: '      if (signal?.aborted) throw signal.reason;\n      this.logger',
    replace: '      this.logger',
    project: 'unit',
    specs: specs('billing/billed-runs.cancel'),
  },
];
