import { TabBus, type TabBusMessage } from '../bus/tab-bus.js';
import { InProcessTabBus } from '../bus/tab-bus.in-process.js';

/** A bus that tells how many subscriptions it holds, and can be lost. */
export class CountedTabBus extends TabBus {
  subscriptions = 0;
  isDown = false;
  lose = () => {};
  private readonly bus = new InProcessTabBus();

  override async subscribe(userId: string, listener: (message: TabBusMessage) => void) {
    if (this.isDown) throw new Error('down');
    const unsubscribe = await this.bus.subscribe(userId, listener);
    this.subscriptions += 1;
    return async () => {
      this.subscriptions -= 1;
      await unsubscribe();
    };
  }

  override publish = (userId: string, message: TabBusMessage) => this.bus.publish(userId, message);
  override onLost = (listener: () => void) => {
    this.lose = listener;
  };
}
