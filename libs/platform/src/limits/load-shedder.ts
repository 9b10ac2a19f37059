import { performance } from 'node:perf_hooks';
import { RequestWork } from '../request-context.js';
import { HeldBytes } from './held-bytes.js';

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

/** Which bound is reached: of requests at work, or of the event loop's lag. */
type Overload = 'requests' | 'lag';

interface Bounds {
  readonly requests: number;
  /** In addition, for networks that have fewer than `few` at work. */
  readonly reserved: number;
  readonly few: number;
  readonly lagMs: number;
}

const BOUNDS: Bounds = { requests: 256, reserved: 64, few: 8, lagMs: 200 };

/** Counts the requests at work in this process, and refuses new ones when there are too many or the loop is late. */
export class LoadShedder {
  /** How many requests were turned away, and at which bound. */
  readonly refused: Record<Overload, number> = { requests: 0, lag: 0 };
  private readonly byNetwork = new Map<string, number>();
  private count = 0;

  constructor(
    private readonly bounds = BOUNDS,
    readonly lag = new LoopLag(),
    readonly bodies = new HeldBytes(),
  ) {}

  /** Requests that are worked on just now. */
  get atWork(): number {
    return this.count;
  }

  /**
   * Takes on a request from a network, which counts until `end` is called; undefined when there is too much
   * to do. A network that sends as fast as it is refused does not keep out those that ask for little.
   */
  admit(network: string): RequestWork | undefined {
    const overload = this.findOverload(network);
    if (overload === undefined) return new RequestWork((change) => this.add(network, change));
    this.refused[overload] += 1;
    return undefined;
  }

  private findOverload(network: string): Overload | undefined {
    const { requests, reserved, few, lagMs } = this.bounds;
    const hasFew = (this.byNetwork.get(network) ?? 0) < few;
    if (this.count >= (hasFew ? requests + reserved : requests)) return 'requests';
    return this.lag.ms > lagMs ? 'lag' : undefined;
  }

  private add(network: string, change: 1 | -1) {
    this.count += change;
    const count = (this.byNetwork.get(network) ?? 0) + change;
    if (count > 0) this.byNetwork.set(network, count);
    else this.byNetwork.delete(network);
  }
}
