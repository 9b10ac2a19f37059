import { FetchOverloadError } from './client-document.error.js';

/** Lets so many work at once; a bounded number of others waits for its turn, first come, first served. */
export class FetchSlots {
  private taken = 0;
  private readonly waiting = new Set<() => void>();

  constructor(
    private readonly slots: number,
    private readonly maxWaiting: number,
  ) {}

  /** Gives what hands the slot back. Throws FetchOverloadError when there is none before the signal. */
  async take(signal: AbortSignal): Promise<() => void> {
    if (this.taken < this.slots) this.taken += 1;
    else await this.turn(signal);
    return () => this.giveBack();
  }

  /** Nobody has a slot, so nobody waits for one. */
  get isIdle() {
    return this.taken === 0;
  }

  private turn(signal: AbortSignal): Promise<void> {
    if (this.waiting.size >= this.maxWaiting || signal.aborted) throw new FetchOverloadError();
    return new Promise((resolve, reject) => {
      const begin = () => {
        signal.removeEventListener('abort', giveUp);
        resolve();
      };
      const giveUp = () => {
        this.waiting.delete(begin);
        reject(new FetchOverloadError());
      };
      this.waiting.add(begin);
      signal.addEventListener('abort', giveUp, { once: true });
    });
  }

  /** The slot goes straight to the one who has waited longest. */
  private giveBack() {
    const [next] = this.waiting;
    if (next === undefined) {
      this.taken -= 1;
      return;
    }
    this.waiting.delete(next);
    next();
  }
}

/** Lets so many work at once for each host, so that a slow one keeps nobody waiting but its own. */
export class HostSlots {
  private readonly hosts = new Map<string, FetchSlots>();

  constructor(
    private readonly slots: number,
    private readonly maxWaiting: number,
  ) {}

  /** Gives what hands the slot back. Throws FetchOverloadError when there is none before the signal. */
  async take(host: string, signal: AbortSignal): Promise<() => void> {
    const slots = this.hosts.get(host) ?? new FetchSlots(this.slots, this.maxWaiting);
    this.hosts.set(host, slots);
    const release = await slots.take(signal);
    return () => {
      release();
      if (slots.isIdle) this.hosts.delete(host);
    };
  }
}
