import type { TabBus, TabBusMessage } from '../bus/tab-bus.js';

const PATIENCE_MS = 1000;

export interface Delivery {
  readonly delivered: number;
  /** Whether every replica that got the message has acknowledged it. */
  readonly isComplete: boolean;
}

interface Count {
  readonly resolve: (delivery: Delivery) => void;
  readonly timer: NodeJS.Timeout;
  acks: number;
  delivered: number;
  /** How many acks there will be; infinite until the bus has said so. */
  expected: number;
}

/** Publishes for one account, and adds up the acks of the replicas where the sender asks for them. */
export class AccountPublisher {
  private readonly counts = new Map<string, Count>();

  constructor(
    private readonly userId: string,
    private readonly bus: TabBus,
    private readonly patienceMs = PATIENCE_MS,
  ) {}

  publish(message: TabBusMessage) {
    return this.bus.publish(this.userId, message);
  }

  /** Publishes without waiting: a bus that fails reports that by itself. */
  notify(message: TabBusMessage) {
    this.publish(message).catch(() => undefined);
  }

  /** Publishes a message whose replicas acknowledge `ackId`. Resolves with what was acknowledged within `patienceMs`. */
  async publishAcknowledged(ackId: string, message: TabBusMessage): Promise<Delivery> {
    const { promise, resolve } = Promise.withResolvers<Delivery>();
    const timer = setTimeout(() => this.finish(ackId), this.patienceMs);
    const count: Count = { resolve, timer, acks: 0, delivered: 0, expected: Infinity };
    this.counts.set(ackId, count);
    try {
      count.expected = await this.publish(message);
    } catch (error) {
      this.finish(ackId);
      throw error;
    }
    if (count.acks >= count.expected) this.finish(ackId);
    return promise;
  }

  /** Tells the sender, who may be on this replica, to how many tabs of this replica its message was written. */
  acknowledge(ackId: string | undefined, delivered: number) {
    if (ackId === undefined || this.onAck(ackId, delivered)) return;
    this.notify({ kind: 'ack', id: ackId, delivered });
  }

  onAck(ackId: string, delivered: number): boolean {
    const count = this.counts.get(ackId);
    if (!count) return false;
    count.acks += 1;
    count.delivered += delivered;
    if (count.acks >= count.expected) this.finish(ackId);
    return true;
  }

  close() {
    for (const ackId of this.counts.keys()) this.finish(ackId);
  }

  private finish(ackId: string) {
    const count = this.counts.get(ackId);
    if (!count) return;
    const { resolve, timer, delivered, acks, expected } = count;
    this.counts.delete(ackId);
    clearTimeout(timer);
    resolve({ delivered, isComplete: acks >= expected });
  }
}
