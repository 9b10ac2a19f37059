import { performance } from 'node:perf_hooks';

const PERIOD_MS = 50;
const SAMPLES = 4;

/** What a sample is taken from; in milliseconds, from any beginning. */
interface Clocks {
  readonly wallMs: () => number;
  /** Processor time of this very thread: neither of workers, nor of other processes. */
  readonly processorMs: () => number;
}

const CLOCKS: Clocks = {
  wallMs: () => performance.now(),
  processorMs: () => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1000;
  },
};

/**
 * How late this process is by its own doing. A timer that is late by a second was either held up by
 * what this thread did, or by other processes that had the processor; only the first is work that can
 * be turned away, so of a timer's lateness no more counts than this thread was at work meanwhile. And
 * of the last four samples the least counts, as in CoDel (RFC 8289 §3): one long piece of work is over
 * when it is seen, work that piles up is late each time.
 */
export class LoopLag {
  private samples: number[] = [];
  private timer: NodeJS.Timeout | undefined;
  private wallMs = 0;
  private processorMs = 0;

  constructor(private readonly clocks = CLOCKS) {}

  /** In milliseconds; 0 before there are four samples. */
  get ms(): number {
    return this.samples.length < SAMPLES ? 0 : Math.min(...this.samples);
  }

  start() {
    this.stop();
    this.samples = [];
    this.read();
    this.timer = setInterval(() => this.sample(), PERIOD_MS).unref();
  }

  stop() {
    clearInterval(this.timer);
  }

  private sample() {
    const { wallMs, processorMs } = this;
    this.read();
    const late = this.wallMs - wallMs - PERIOD_MS;
    const worked = this.processorMs - processorMs;
    this.samples = [...this.samples, Math.min(late, worked)].slice(-SAMPLES);
  }

  private read() {
    this.wallMs = this.clocks.wallMs();
    this.processorMs = this.clocks.processorMs();
  }
}
