import { Injectable } from '@nestjs/common';
import { ScreeningService, stringsIn } from '#libs/code-runner';
import { assertFits, TabsService, UnknownTabError } from '#libs/tab-hub';
import { explained } from './tab-refusals.js';

/** What an app is about to say to one tab, or to all when `tab` is undefined. */
interface OutgoingContent {
  readonly userId: string;
  readonly app: string;
  readonly tab: string | undefined;
  /** Any JSON. */
  readonly content: unknown;
}

/** Decides whether something may go to tabs. Free checks come first: nobody pays for what has no addressee. */
@Injectable()
export class OutgoingContentService {
  constructor(
    private readonly tabs: TabsService,
    private readonly screening: ScreeningService,
  ) {}

  /**
   * Resolves to the number of tabs that are open to it. With none open to a message for all, nothing
   * was screened or charged.
   * @throws ToolError when it is too large, has no such tab, or does not pass the screening
   */
  async admit({ userId, app, tab, content }: OutgoingContent): Promise<number> {
    const addressees = await explained(this.addressees(userId, tab, content));
    if (addressees > 0) await this.screening.check({ userId, app, text: stringsIn(content) });
    return addressees;
  }

  private async addressees(userId: string, tab: string | undefined, content: unknown) {
    assertFits(content);
    const tabs = await this.tabs.list(userId);
    const addressees = tabs.filter(({ id }) => tab === undefined || id === tab);
    if (tab !== undefined && addressees.length === 0) throw new UnknownTabError();
    return addressees.length;
  }
}
