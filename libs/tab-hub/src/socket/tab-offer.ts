import { createHash } from 'node:crypto';
import { Paced } from '#libs/platform';
import { LIST_GAP_MS } from '../hub/list-gap.js';
import type { PageTool } from '../protocol/page-tool.js';

/** What the page in a tab offers, on its way to everybody: the last list always arrives, whatever comes before it may not. */
export class TabOffer {
  private wanted: readonly PageTool[] = [];
  private readonly pace: Paced;
  private digest = digestOf([]);

  /** `publish` must not reject. */
  constructor(publish: (tools: readonly PageTool[]) => Promise<void>) {
    this.pace = new Paced(LIST_GAP_MS, () => {
      const tools = this.wanted;
      this.wanted = [];
      return publish(tools);
    });
  }

  /** Does nothing for the list that there is already. */
  replace(tools: readonly PageTool[]): void {
    const digest = digestOf(tools);
    if (digest === this.digest) return;
    this.digest = digest;
    this.wanted = tools;
    this.pace.ask();
  }

  stop(): void {
    this.pace.stop();
  }
}

const digestOf = (tools: readonly PageTool[]) =>
  createHash('sha256').update(JSON.stringify(tools)).digest('base64');
