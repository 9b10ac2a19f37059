import { randomBytes } from 'node:crypto';
import type { TabBus, TabBusMessage } from '../bus/tab-bus.js';
import { type Delivery, DeliveryAcks } from './delivery-acks.js';

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
