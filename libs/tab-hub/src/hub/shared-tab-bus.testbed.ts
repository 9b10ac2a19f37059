import type { TabBusMessage } from '../bus/tab-bus.js';
import { InProcessTabBus } from '../bus/tab-bus.in-process.js';

/** The in-process bus between as many replicas as a spec says there are. */
export class SharedTabBus extends InProcessTabBus {
  replicas = 0;

  override async publish(userId: string, message: TabBusMessage) {
    return (await super.publish(userId, message)) * this.replicas;
  }
}
