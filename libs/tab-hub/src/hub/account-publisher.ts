import type { TabBus, TabBusMessage } from '../bus/tab-bus.js';

const ACK_TIMEOUT_MS = 1000;

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
  /** The number of replicas that get the message; infinite until the bus has returned it. */
  expected: number;
}

/** Publishes messages of one account, and adds up the acknowledgements that the sender asks for. */
export class AccountPublisher {
  private readonly counts = new Map<string, Count>();

  constructor(
    private readonly userId: string,
    private readonly bus: TabBus,
    private readonly ackTimeoutMs = ACK_TIMEOUT_MS,
  ) {}

  publish(message: TabBusMessage) {
    return this.bus.publish(this.userId, message);
  }

  /** Publishes without waiting for the bus, which reports its outages itself. */
  notify(message: TabBusMessage) {
    this.publish(message).catch(() => undefined);
  }

  /** Publishes a message whose replicas acknowledge `ackId`. Resolves with what was acknowledged within `ackTimeoutMs`. */
  async publishAcknowledged(ackId: string, message: TabBusMessage): Promise<Delivery> {
    const { promise, resolve } = Promise.withResolvers<Delivery>();
    const timer = setTimeout(() => this.finish(ackId), this.ackTimeoutMs);
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

  /** Tells the sender, on this replica or another, to how many tabs here its message was written. */
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
