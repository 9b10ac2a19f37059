import { Logger } from '@nestjs/common';
import { Emitter } from './emitter.js';
import { TabBus, type TabBusMessage } from './tab-bus.js';

/**
 * The bus of a single replica. Listeners are called in a microtask of their own, never inside `publish`: every
 * listener hears all messages in the order of the calls, those that listeners publish too.
 */
export class InProcessTabBus extends TabBus {
  private readonly logger = new Logger(InProcessTabBus.name);
  private readonly emitters = new Map<string, Emitter<TabBusMessage>>();

  override async subscribe(userId: string, listener: (message: TabBusMessage) => void) {
    const emitter =
      this.emitters.get(userId) ?? new Emitter<TabBusMessage>((error) => this.logger.error(error));
    this.emitters.set(userId, emitter);
    const off = emitter.on(listener);
    return async () => {
      off();
      if (emitter.isEmpty && this.emitters.get(userId) === emitter) this.emitters.delete(userId);
    };
  }

  override async publish(userId: string, message: TabBusMessage): Promise<number> {
    const emitter = this.emitters.get(userId);
    if (emitter === undefined) return 0;
    queueMicrotask(() => emitter.emit(message));
    return 1;
  }

  override onLost(_listener: () => void): void {}
}
