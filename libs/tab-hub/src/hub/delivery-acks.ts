/** How long to wait for the acks of the replicas that got a message. */
const PATIENCE_MS = 1000;

export interface Delivery {
  /** To how many tabs the message was written, as far as is known. */
  readonly delivered: number;
  /** Whether every replica that got it has acknowledged it. */
  readonly isComplete: boolean;
}

interface Count {
  readonly resolve: (delivery: Delivery) => void;
  readonly timer: NodeJS.Timeout;
  acks: number;
  delivered: number;
  expected: number;
}

/** Adds up how many tabs a message was written to, from the acks of the replicas that got it. */
export class DeliveryAcks {
  private readonly counts = new Map<string, Count>();

  get size() {
    return this.counts.size;
  }

  /** Acks of this id count from now on. Resolves when all have come, or with what came in time. */
  open(id: string, patienceMs = PATIENCE_MS): Promise<Delivery> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.close(id), patienceMs);
      this.counts.set(id, { resolve, timer, acks: 0, delivered: 0, expected: Infinity });
    });
  }

  /** Says how many acks there will be; some may have come already. */
  expect(id: string, acks: number) {
    const count = this.counts.get(id);
    if (!count) return;
    count.expected = acks;
    this.check(id, count);
  }

  /** Returns whether anybody waits for acks of that id. */
  add(id: string, delivered: number): boolean {
    const count = this.counts.get(id);
    if (!count) return false;
    count.acks += 1;
    count.delivered += delivered;
    this.check(id, count);
    return true;
  }

  /** Waits no longer: what came by now is all. */
  close(id: string) {
    const count = this.counts.get(id);
    if (!count) return;
    const { resolve, timer, delivered, acks, expected } = count;
    this.counts.delete(id);
    clearTimeout(timer);
    resolve({ delivered, isComplete: acks >= expected });
  }

  closeAll() {
    for (const id of this.counts.keys()) this.close(id);
  }

  private check(id: string, { acks, expected }: Count) {
    if (acks >= expected) this.close(id);
  }
}
