import { Paced } from '#libs/platform';
import { LIST_GAP_MS } from './list-gap.js';
import type { Tab } from '../protocol/tab.js';

/** Follows the list of an account's tabs: it is read again, and told, when it has changed. */
export class TabList {
  private ids: ReadonlySet<string> = new Set();
  private isStopped = false;
  private readonly reading: Paced;

  constructor(
    private readonly read: () => Promise<Tab[]>,
    private readonly announce: (tabs: readonly Tab[]) => void,
  ) {
    this.reading = new Paced(LIST_GAP_MS, () => this.follow());
  }

  /** Whether the tab was in the list when it was last read. */
  has(tabId: string) {
    return this.ids.has(tabId);
  }

  /** Says that the list has changed. */
  refresh() {
    this.reading.ask();
  }

  stop() {
    this.isStopped = true;
    this.reading.stop();
  }

  private async follow() {
    const tabs = await this.read();
    if (this.isStopped) return;
    this.ids = new Set(tabs.map(({ id }) => id));
    this.announce(tabs);
  }
}
