/** How long to wait for the replicas that heard a message to say so. */
const PATIENCE_MS = 1000;

export interface Delivery {
  /** To how many tabs the message was written, as far as is known. */
  readonly delivered: number;
  /** Whether every replica that heard it has said so. */
  readonly isComplete: boolean;
}

interface Count {
  readonly settle: (delivery: Delivery) => void;
  readonly timer: NodeJS.Timeout;
  heard: number;
  delivered: number;
  expected: number;
}

/** Adds up how many tabs a message was written to, from the receipts of the replicas that heard it. */
export class Receipts {
  private readonly counts = new Map<string, Count>();

  get size() {
    return this.counts.size;
  }

  /** Receipts of this id count from now on. Resolves when all have come, or with what came in time. */
  open(id: string, patienceMs = PATIENCE_MS): Promise<Delivery> {
    return new Promise((settle) => {
      const timer = setTimeout(() => this.close(id), patienceMs);
      this.counts.set(id, { settle, timer, heard: 0, delivered: 0, expected: Infinity });
    });
  }

  /** Says how many receipts there will be; some may have come already. */
  expect(id: string, receipts: number) {
    const count = this.counts.get(id);
    if (!count) return;
    count.expected = receipts;
    this.check(id, count);
  }

  /** Returns whether anybody waits for receipts of that id. */
  add(id: string, delivered: number): boolean {
    const count = this.counts.get(id);
    if (!count) return false;
    count.heard += 1;
    count.delivered += delivered;
    this.check(id, count);
    return true;
  }

  /** Waits no longer: what came by now is all. */
  close(id: string) {
    const count = this.counts.get(id);
    if (!count) return;
    const { settle, timer, delivered, heard, expected } = count;
    this.counts.delete(id);
    clearTimeout(timer);
    settle({ delivered, isComplete: heard >= expected });
  }

  closeAll() {
    for (const id of this.counts.keys()) this.close(id);
  }

  private check(id: string, { heard, expected }: Count) {
    if (heard >= expected) this.close(id);
  }
}
