import { type AccountContext, BuiltInAccountPages } from 'gatehouse/account-page';
import { BuiltInAuthorizationPages } from 'gatehouse/oauth';
import type { ConsentContext, PageContext, SiteContext } from 'gatehouse/ui-templates';

const brand = {
  style: ':root { --accent: #8a1538; --on-accent: #fff; }',
  emblem: '<svg viewBox="0 0 24 24" aria-hidden="true"><circle cx="12" cy="12" r="10" /></svg>',
};

/** The built-in pages in the team's colours. */
export class AcmePages extends BuiltInAuthorizationPages {
  override signIn(context: PageContext) {
    return super.signIn({ ...context, brand });
  }

  override consent(context: ConsentContext) {
    return super.consent({ ...context, brand });
  }
}

export class AcmeAccountPages extends BuiltInAccountPages {
  override signedOut(context: SiteContext) {
    return super.signedOut({ ...context, brand });
  }

  override account(context: AccountContext) {
    return super.account({ ...context, brand });
  }
}
