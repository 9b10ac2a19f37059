import { RequestWork } from '../load/request-work.js';
import { HeldBytes } from './held-bytes.js';
import { LoopLag } from './loop-lag.js';

/** Which bound is reached: of requests at work, or of the event loop's lag. */
export type Overload = 'requests' | 'lag';

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
