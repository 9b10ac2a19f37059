import { type DynamicModule, Module } from '@nestjs/common';
import type { BuiltIn } from 'gatehouse';
import { type Company, CompanyProviderService } from './company-provider.service.js';
import { CompanySignInController } from './company-sign-in.controller.js';
import { GreetingsService } from './greetings.service.js';

/** Sign-in by the company's OpenID provider, to which SIGN_IN_LINKS leads. */
@Module({})
export class CompanySignInModule {
  static forRoot({ accounts }: BuiltIn, company: Company): DynamicModule {
    return {
      module: CompanySignInModule,
      imports: [accounts],
      controllers: [CompanySignInController],
      providers: [
        GreetingsService,
        { provide: CompanyProviderService, useFactory: () => new CompanyProviderService(company) },
      ],
    };
  }
}

/** The company of the environment; undefined where none is named. */
export function readCompany({
  ACME_OIDC_ISSUER: issuer,
  ACME_OIDC_CLIENT_ID: clientId,
  ACME_OIDC_CLIENT_SECRET: clientSecret,
}: NodeJS.ProcessEnv): Company | undefined {
  return issuer && clientId && clientSecret ? { issuer, clientId, clientSecret } : undefined;
}
