import type { PageTool } from './page-tool.js';
import type { Tab } from './tab.js';

/** What the page in a tab offers. */
export interface TabTools {
  readonly tab: Tab;
  /** Empty when its page offers none. A list that has not changed is the same object each time, or an equal one. */
  readonly tools: readonly PageTool[];
  /**
   * When its page last said something, in epoch milliseconds, to about a second; of a page that offers
   * nothing, when it last changed what is known of its tab.
   */
  readonly lastFrameAt: number;
  /**
   * Shared names under which another tab offered a different tool first; each goes with a suffix as long as
   * this tab is open. Undefined when there are none.
   */
  readonly suffixed?: readonly string[];
}
