import {
  type ConsentContext,
  consentPage,
  type OpenInTabContext,
  openInTabPage,
  type Page,
  type PageContext,
  signInPage,
} from '#libs/ui-templates';

/**
 * The pages at the authorization endpoint. A page of a team's own has to send the headers of the
 * built-in ones, and its consent form has to post `handle`, `scope` and `decision`.
 */
export abstract class AuthorizationPages {
  static readonly portOf = 'oauth';

  abstract signIn(context: PageContext): Page;
  abstract consent(context: ConsentContext): Page;

  /** For what is no page load: a page without form or ceremony. */
  openInTab(context: OpenInTabContext): Page {
    return openInTabPage(context);
  }
}

/** The pages of libs/ui-templates. */
export class BuiltInAuthorizationPages extends AuthorizationPages {
  signIn(context: PageContext): Page {
    return signInPage(context);
  }

  consent(context: ConsentContext): Page {
    return consentPage(context);
  }
}
