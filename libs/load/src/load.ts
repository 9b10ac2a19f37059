import { HeldBytes } from './held-bytes.js';
import { LoopLag } from './loop-lag.js';
import { RequestWork } from './request-work.js';

/** Which bound is reached: of requests at work, or of the event loop's lag. */
export type Overload = 'requests' | 'lag';

interface Bounds {
  readonly requests: number;
  readonly lagMs: number;
}

const BOUNDS: Bounds = { requests: 256, lagMs: 200 };

/** What this process has on its hands, and whether it takes on more. */
export class Load {
  /** How many requests were turned away, and at which bound. */
  readonly refused: Record<Overload, number> = { requests: 0, lag: 0 };
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

  /** Takes on a request, which counts until `end` is called; undefined when there is too much to do. */
  admit(): RequestWork | undefined {
    const overload = this.findOverload();
    if (overload === undefined) return new RequestWork((change) => (this.count += change));
    this.refused[overload] += 1;
    return undefined;
  }

  private findOverload(): Overload | undefined {
    if (this.count >= this.bounds.requests) return 'requests';
    return this.lag.ms > this.bounds.lagMs ? 'lag' : undefined;
  }
}
