import type { CloseFrame } from '../protocol/hub-frame.js';
import type { Tab } from '../protocol/tab.js';
import { type LocalTab, TabRequests } from './local-tabs.js';

/** A tab that keeps what was written to it. */
export class RecordedTab implements LocalTab {
  readonly requests = new TabRequests();
  readonly frames: { event: string; data: Record<string, unknown> }[] = [];
  readonly ends: CloseFrame[] = [];
  isOpen = true;

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

  writeLatest(frame: Buffer) {
    this.write(frame);
  }

  end(close: CloseFrame) {
    this.ends.push(close);
  }

  received = (event: string) =>
    this.frames.filter((frame) => frame.event === event).map(({ data }) => data);
}
