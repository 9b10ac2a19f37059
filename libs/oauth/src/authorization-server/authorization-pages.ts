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
 * The pages at the authorization endpoint. A custom page has to send the same headers as the built-in
 * one, and a custom consent form has to post `handle`, `scope` and `decision`.
 */
export abstract class AuthorizationPages {
  static readonly portOf = 'oauth';

  abstract signIn(context: PageContext): Page;
  abstract consent(context: ConsentContext): Page;

  /** For requests that are no page load: a page without a form or a passkey ceremony. */
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
