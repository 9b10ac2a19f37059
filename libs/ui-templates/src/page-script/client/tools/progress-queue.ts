const EVERY_MS = 250;
const AT_ONCE = 5;

export interface Progress {
  readonly id: string;
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

/** Sends the latest progress of each call, at a limited rate: the hub closes a tab that sends too much. */
export class ProgressQueue {
  readonly #latest = new Map<string, Progress>();
  readonly #send: (progress: Progress) => void;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(send: (progress: Progress) => void) {
    this.#send = send;
  }

  put(progress: Progress) {
    this.#latest.set(progress.id, progress);
    if (this.#timer === undefined) this.#flush();
  }

  /** Drops the call's pending progress, because its result follows. */
  forget(id: string) {
    this.#latest.delete(id);
  }

  #flush() {
    const next = [...this.#latest.values()].slice(0, AT_ONCE);
    for (const progress of next) {
      this.#latest.delete(progress.id);
      this.#send(progress);
    }
    this.#timer = next.length > 0 ? setTimeout(() => this.#flush(), EVERY_MS) : undefined;
  }
}
