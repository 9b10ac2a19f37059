import type { Page } from '../layout/page.js';
import { type AccountContext, accountPage } from './account-page.js';
import type { AccountSiteContext } from './account-texts.js';
import { type RecoverContext, recoverPage } from './recover-page.js';
import { signedOutPage } from './signed-out-page.js';

/** The pages at `/svc/account` and below. A page of a team's own has to send the headers of the built-in ones. */
export abstract class AccountPages {
  static readonly portOf = 'accountPage';

  abstract signedOut(context: AccountSiteContext): Page;
  abstract account(context: AccountContext): Page;
  abstract recover(context: RecoverContext): Page;
}

export class BuiltInAccountPages extends AccountPages {
  signedOut(context: AccountSiteContext): Page {
    return signedOutPage(context);
  }

  account(context: AccountContext): Page {
    return accountPage(context);
  }

  recover(context: RecoverContext): Page {
    return recoverPage(context);
  }
}
