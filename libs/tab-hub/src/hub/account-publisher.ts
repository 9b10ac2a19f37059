import { randomBytes } from 'node:crypto';
import type { TabBus, TabBusMessage } from '../bus/tab-bus.js';

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

/** Publishes for one account, and counts to how many tabs it came where that is asked for. */
export class AccountPublisher {
  private readonly acks = new DeliveryAcks();

  constructor(
    private readonly userId: string,
    private readonly bus: TabBus,
  ) {}

  publish(message: TabBusMessage) {
    return this.bus.publish(this.userId, message);
  }

  /** Not waited for: a bus that fails lets everybody know by itself. */
  notify(message: TabBusMessage) {
    this.publish(message).catch(() => undefined);
  }

  /** `delivery` resolves when it is known how far the message came, whose replicas acknowledge `ackId`. */
  async publishAcknowledged(
    ackId: string,
    message: TabBusMessage,
  ): Promise<{ delivery: Promise<Delivery> }> {
    const delivery = this.acks.open(ackId);
    try {
      this.acks.expect(ackId, await this.publish(message));
    } catch (error) {
      this.acks.close(ackId);
      throw error;
    }
    return { delivery };
  }

  /** Says to how many tabs of this replica a message was written, where somebody counts. */
  acknowledge(ackId: string | undefined, delivered: number) {
    if (ackId === undefined || this.acks.add(ackId, delivered)) return;
    this.notify({ kind: 'ack', id: ackId, delivered });
  }

  onAck({ id, delivered }: Extract<TabBusMessage, { kind: 'ack' }>) {
    this.acks.add(id, delivered);
  }

  /** Nobody waits for acks any longer. */
  close() {
    this.acks.closeAll();
  }
}

export const randomId = () => randomBytes(16).toString('base64url');
