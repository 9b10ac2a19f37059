import { performance } from 'node:perf_hooks';
import { Interval } from '@nestjs/schedule';
import { RequestWork } from '../request-context.js';
import { HeldBytes } from './held-bytes.js';

const PERIOD_MS = 50;
const SAMPLES = 4;

/** In milliseconds since any moment. */
interface Clocks {
  readonly wallMs: () => number;
  /** Processor time of this thread only. */
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
 * The event loop's lag as far as this process causes it. A late timer was delayed by this thread's work, or by other
 * processes that had the processor; only the former can be shed, so a sample is at most the processor time that this
 * thread used meanwhile. The smallest of the last four samples counts, as in CoDel (RFC 8289 §3): one long piece of
 * work is over when it is measured, but work that piles up delays every sample.
 */
export class LoopLag {
  private samples: number[] = [];
  private wallMs = 0;
  private processorMs = 0;

  constructor(private readonly clocks = CLOCKS) {
    this.read();
  }

  /** In milliseconds; 0 before there are four samples. */
  get ms(): number {
    return this.samples.length < SAMPLES ? 0 : Math.min(...this.samples);
  }

  /** Call this every 50 ms. */
  sample() {
    const { wallMs, processorMs } = this;
    this.read();
    // A timer may come a little early.
    const late = Math.max(0, this.wallMs - wallMs - PERIOD_MS);
    const worked = this.processorMs - processorMs;
    this.samples = [...this.samples, Math.min(late, worked)].slice(-SAMPLES);
  }

  private read() {
    this.wallMs = this.clocks.wallMs();
    this.processorMs = this.clocks.processorMs();
  }
}

/** The bound that was reached: requests at work, or the event loop's lag. */
type Overload = 'requests' | 'lag';

interface Bounds {
  readonly requests: number;
  /** Additional requests, for networks that have fewer than `few` at work. */
  readonly reserved: number;
  readonly few: number;
  readonly lagMs: number;
}

const BOUNDS: Bounds = { requests: 256, reserved: 64, few: 8, lagMs: 200 };

/** Counts the requests at work in this process, and refuses new ones when there are too many or the loop is late. */
export class LoadShedder {
  readonly refused: Record<Overload, number> = { requests: 0, lag: 0 };
  /** The large ones, of requests that are not answered. */
  readonly heads = new HeldBytes();
  private readonly byNetwork = new Map<string, number>();
  private count = 0;

  constructor(
    private readonly bounds = BOUNDS,
    readonly lag = new LoopLag(),
    readonly bodies = new HeldBytes(),
  ) {}

  get atWork(): number {
    return this.count;
  }

  @Interval('event-loop-lag', PERIOD_MS)
  sampleLag() {
    this.lag.sample();
  }

  /**
   * Admits a request from a network, which counts until `end` is called; undefined under overload. A network that
   * retries as fast as it is refused does not keep out networks with few requests.
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
