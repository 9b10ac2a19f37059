import { Logger } from '@nestjs/common';
import { Audience } from './emitter.js';
import { TabBus, type TabBusMessage, type Unsubscribe } from './tab-bus.js';

/**
 * The bus of a process that is the only replica; it never fails and never loses anything.
 *
 * Listeners are called in a microtask of their own, never inside `publish`: whoever publishes goes on
 * first, and what a listener publishes is heard after what was published before, by everybody in the
 * same order.
 */
export class InProcessTabBus extends TabBus {
  private readonly logger = new Logger(InProcessTabBus.name);
  private readonly audiences = new Map<string, Audience<TabBusMessage>>();

  override async subscribe(
    userId: string,
    listener: (message: TabBusMessage) => void,
  ): Promise<Unsubscribe> {
    const audience = this.audiences.get(userId) ?? this.gather(userId);
    const leave = audience.join(listener);
    return async () => {
      leave();
      if (audience.isEmpty && this.audiences.get(userId) === audience) {
        this.audiences.delete(userId);
      }
    };
  }

  override async publish(userId: string, message: TabBusMessage): Promise<number> {
    const audience = this.audiences.get(userId);
    if (audience === undefined) return 0;
    queueMicrotask(() => audience.tell(message));
    return 1;
  }

  override onLost(): void {}

  private gather(userId: string) {
    const audience = new Audience<TabBusMessage>((error) => this.logger.error(error));
    this.audiences.set(userId, audience);
    return audience;
  }
}
