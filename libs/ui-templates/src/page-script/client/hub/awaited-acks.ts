const ACK_WITHIN_MS = 10_000;

interface Awaited {
  readonly resolve: (delivered: number) => void;
  readonly reject: (error: Error) => void;
  readonly timer: ReturnType<typeof setTimeout>;
}

/** Messages that were sent and are not acknowledged yet. */
export class AwaitedAcks {
  readonly #awaited = new Map<string, Awaited>();

  get size() {
    return this.#awaited.size;
  }

  /** Resolves to the number of tabs that the message was delivered to. */
  expect(id: string): Promise<number> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.#settle(id)?.reject(unconfirmed()), ACK_WITHIN_MS);
      this.#awaited.set(id, { resolve, reject, timer });
    });
  }

  acknowledge(id: string, delivered: number) {
    this.#settle(id)?.resolve(delivered);
  }

  /** Rejects all pending messages: the hub does not say which frame an error refers to. */
  giveUp(message: string) {
    for (const id of this.#awaited.keys()) this.#settle(id)?.reject(new Error(message));
  }

  #settle(id: string) {
    const awaited = this.#awaited.get(id);
    clearTimeout(awaited?.timer);
    this.#awaited.delete(id);
    return awaited;
  }
}

const unconfirmed = () => new Error('the hub did not confirm it');
