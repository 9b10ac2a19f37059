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

  private turn(signal: AbortSignal): Promise<void> {
    if (this.waiting.size >= this.maxWaiting || signal.aborted) throw overload();
    return new Promise((resolve, reject) => {
      const begin = () => {
        signal.removeEventListener('abort', giveUp);
        resolve();
      };
      const giveUp = () => {
        this.waiting.delete(begin);
        reject(overload());
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

const overload = () => new FetchOverloadError('too many documents are being fetched already');
