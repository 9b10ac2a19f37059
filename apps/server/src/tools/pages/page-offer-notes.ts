import type { PageTool } from '#libs/tab-hub';
import { PageNameNotes } from './page-names.js';
import { listingOf } from './page-text.js';

/** What is kept and told of the tools that a page offers. */
export class PageOfferNotes extends PageNameNotes {
  override unlisted(tool: PageTool) {
    const listing = listingOf(tool);
    return 'reason' in listing ? listing.reason : undefined;
  }
}
