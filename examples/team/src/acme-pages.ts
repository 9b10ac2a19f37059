import { type AccountContext, BuiltInAccountPages, type PageContext } from 'gatehouse/ui-templates';
import { BuiltInAuthorizationPages } from 'gatehouse/oauth';

/** The built-in pages; who is not signed in yet reads the name of the whole house. */
export class AcmePages extends BuiltInAuthorizationPages {
  override signIn(context: PageContext) {
    return super.signIn({ ...context, serviceName: 'Acme' });
  }
}

export class AcmeAccountPages extends BuiltInAccountPages {
  override account(context: AccountContext) {
    return super.account({ ...context, serviceName: 'My Acme' });
  }
}
