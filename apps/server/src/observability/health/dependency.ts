import { setTimeout as sleep } from 'node:timers/promises';

export interface Health {
  readonly status: 'up' | 'down';
  readonly durationMs: number;
  /** Set for a database that answers but refuses writes. */
  readonly readOnly?: true;
}

export interface CheckLimits {
  /** A probe that takes longer counts as down. */
  readonly patienceMs: number;
  /** How long a result stays fresh. */
  readonly freshMs: number;
}

const LIMITS: CheckLimits = { patienceMs: 1_000, freshMs: 1_000 };

/**
 * A dependency of the service, and whether it answers. Concurrent callers share one probe, and there is at most one a
 * second: a prober can neither overload the dependency nor pile up requests on it.
 */
export class Dependency {
  private probing: Promise<void> | undefined;
  private finding: Promise<Health> | undefined;
  private freshUntil = 0;

  constructor(
    readonly name: string,
    private readonly probe: () => Promise<unknown>,
    private readonly limits = LIMITS,
  ) {}

  /** Never rejects. */
  check(): Promise<Health> {
    if (this.finding && performance.now() < this.freshUntil) return this.finding;
    this.freshUntil = Number.POSITIVE_INFINITY;
    this.finding = this.look();
    return this.finding;
  }

  private async look(): Promise<Health> {
    const startedAt = performance.now();
    this.probing ??= this.run();
    const waiting = new AbortController();
    const tooLate = sleep(this.limits.patienceMs, false, { signal: waiting.signal, ref: false });
    const answered = await Promise.race([
      this.probing.then(
        () => true,
        () => false,
      ),
      tooLate,
    ]);
    waiting.abort();
    tooLate.catch(() => {});
    const endedAt = performance.now();
    this.freshUntil = endedAt + this.limits.freshMs;
    return { status: answered ? 'up' : 'down', durationMs: Math.round(endedAt - startedAt) };
  }

  private async run() {
    try {
      await this.probe();
    } finally {
      this.probing = undefined;
    }
  }
}
