import { AccountPages } from 'gatehouse/ui-templates';
import { AccountPolicy } from 'gatehouse/accounts';
import { BudgetLimits } from 'gatehouse/budget';
import { OfferPolicy } from 'gatehouse/mcp';
import { AccessPolicy, AuthorizationPages, ClientPolicy } from 'gatehouse/oauth';
import { ChallengeStore } from 'gatehouse/passkeys';
import { AccountExport, ContentScreener, type Extension } from 'gatehouse';
import { Acme0001Migration1795305600001 } from './acme-0001.migration.js';
import { AcmeAccessPolicy } from './acme-access-policy.js';
import { AcmeAccountExport } from './acme-account-export.js';
import { AcmeAccountPolicy } from './acme-account-policy.js';
import { AcmeBudgetLimits } from './acme-budget-limits.js';
import { AcmeChallengeStore } from './acme-challenge-store.js';
import { brand } from './acme-brand.js';
import { AcmeClientPolicy } from './acme-client-policy.js';
import { AcmeOfferPolicy } from './acme-offer-policy.js';
import { AcmeAccountPages, AcmePages } from './acme-pages.js';
import { AcmeScreener } from './acme-screener.js';
import { texts } from './acme-texts.js';
import { AcmeModule } from './acme.module.js';
import { CompanySignInModule, readCompany } from './company-sign-in.module.js';

const company = readCompany(process.env);

/** Everything that Acme changes about the service, in one place. */
export const extension: Extension = {
  gatehouse: 1,
  modules: (builtIn) => [
    AcmeModule.forRoot(builtIn),
    ...(company ? [CompanySignInModule.forRoot(builtIn, company)] : []),
  ],
  scopes: [
    {
      name: 'acme:shop',
      description: 'see what Acme sells',
      texts: { de: 'sehen, was Acme verkauft' },
      baseline: true,
    },
    {
      name: 'acme:greet',
      description: 'greet you, for 5 credits',
      texts: { de: 'Sie grüßen, für 5 Credits' },
      writes: true,
    },
  ],
  texts,
  brand,
  instructions: 'acme_greet greets the person you work for, in English or French, for 5 credits.',
  migrations: [Acme0001Migration1795305600001],
  replacements: {
    accountExport: [{ provide: AccountExport, useClass: AcmeAccountExport }],
    accountPage: [{ provide: AccountPages, useClass: AcmeAccountPages }],
    accounts: [{ provide: AccountPolicy, useClass: AcmeAccountPolicy }],
    budget: [{ provide: BudgetLimits, useClass: AcmeBudgetLimits }],
    mcp: [{ provide: OfferPolicy, useClass: AcmeOfferPolicy }],
    oauth: [
      { provide: AuthorizationPages, useClass: AcmePages },
      { provide: ClientPolicy, useClass: AcmeClientPolicy },
      ...(company
        ? [{ provide: AccessPolicy, useFactory: () => new AcmeAccessPolicy(company.issuer) }]
        : []),
    ],
    passkeys: [{ provide: ChallengeStore, useClass: AcmeChallengeStore }],
    screening: [{ provide: ContentScreener, useClass: AcmeScreener }],
  },
};
