import type { Tab } from '../protocol/tab.js';

const GAP_MS = 250;
const RETRY_MS = 1000;

/**
 * Follows the list of an account's tabs. It is read at once when it changes, then at most four times
 * a second, and always once more after the last change.
 */
export class TabList {
  private ids: ReadonlySet<string> = new Set();
  private timer: NodeJS.Timeout | undefined;
  private isReading = false;
  private isStale = false;
  private isStopped = false;

  constructor(
    private readonly read: () => Promise<Tab[]>,
    private readonly announce: (tabs: readonly Tab[]) => void,
  ) {}

  /** Whether the tab was in the list when it was last read. */
  has(tabId: string) {
    return this.ids.has(tabId);
  }

  /** Says that the list has changed. */
  refresh() {
    if (this.isStopped) return;
    this.isStale = true;
    if (!this.isReading && this.timer === undefined) void this.follow();
  }

  stop() {
    this.isStopped = true;
    clearTimeout(this.timer);
  }

  private async follow() {
    this.isStale = false;
    this.isReading = true;
    const tabs = await this.read().catch(() => undefined);
    this.isReading = false;
    if (this.isStopped) return;
    if (!tabs) this.isStale = true;
    this.timer = setTimeout(() => this.onTimer(), tabs ? GAP_MS : RETRY_MS);
    if (tabs) this.update(tabs);
  }

  private onTimer() {
    this.timer = undefined;
    if (this.isStale) void this.follow();
  }

  private update(tabs: readonly Tab[]) {
    this.ids = new Set(tabs.map(({ id }) => id));
    this.announce(tabs);
  }
}
