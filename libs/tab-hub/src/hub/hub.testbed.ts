import { InProcessTabBus } from '../bus/tab-bus.in-process.js';
import { TabBus, type TabBusMessage } from '../bus/tab-bus.js';
import type { CloseFrame } from '../protocol/frames-to-tab.js';
import { digestOf } from '../protocol/page-tool.js';
import type { OpenRequest, Tab } from '../protocol/tab.js';
import { type LatestKind, type LocalTab, TabRequests } from './local-tab.js';
import { OpenRequests } from './open-requests.js';

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

/** The in-process bus between as many replicas as a spec says there are. */
export class SharedTabBus extends InProcessTabBus {
  replicas = 0;

  override async publish(userId: string, message: TabBusMessage) {
    return (await super.publish(userId, message)) * this.replicas;
  }
}

/** Requests that a spec opens and closes; counts how often they are read. */
export class TestRequests extends OpenRequests {
  readonly open = new Map<string, readonly OpenRequest[]>();
  reads = 0;
  isDown = false;
  changed: (userId: string) => void = () => {};

  override async of(userId: string) {
    this.reads += 1;
    if (this.isDown) throw new Error('down');
    return this.open.get(userId) ?? [];
  }

  override onChanged(listener: (userId: string) => void) {
    this.changed = listener;
  }
}

/** A tab that keeps what was written to it. */
export class RecordedTab implements LocalTab {
  readonly requests = new TabRequests();
  readonly frames: { event: string; data: Record<string, unknown> }[] = [];
  readonly ends: CloseFrame[] = [];
  isOpen = true;
  offerDigest = digestOf([]);
  publishOffer = async () => {};

  constructor(
    readonly id: string,
    readonly session = 'session',
  ) {}

  get tab(): Tab {
    return { id: this.id, title: '', url: '', connectedAt: '', toolNames: [] };
  }

  write(frame: Buffer) {
    const text = String(frame).replace(/^[^{]*/, '');
    if (this.isOpen) this.frames.push(JSON.parse(text) as RecordedTab['frames'][number]);
    return this.isOpen;
  }

  writeLatest(_kind: LatestKind, frame: Buffer) {
    this.write(frame);
  }

  end(close: CloseFrame) {
    this.ends.push(close);
  }

  received = (event: string) =>
    this.frames.filter((frame) => frame.event === event).map(({ data }) => data);
}
