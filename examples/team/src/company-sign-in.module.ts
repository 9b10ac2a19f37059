import { type DynamicModule, Module } from '@nestjs/common';
import type { BuiltIn } from 'gatehouse';
import { COMPANY, type Company, CompanyProviderService } from './company-provider.service.js';
import { CompanySignInController } from './company-sign-in.controller.js';
import { GreetingsService } from './greetings.service.js';
import { LeaversController } from './leavers.controller.js';

/** Sign-in by the company's OpenID provider, to which SIGN_IN_LINKS leads, and what the company says of leavers. */
@Module({})
export class CompanySignInModule {
  static forRoot({ accounts, administration }: BuiltIn, company: Company): DynamicModule {
    return {
      module: CompanySignInModule,
      imports: [accounts, administration],
      controllers: [CompanySignInController, LeaversController],
      providers: [
        GreetingsService,
        { provide: COMPANY, useFactory: () => company },
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
  ACME_DIRECTORY_TOKEN: directoryToken,
}: NodeJS.ProcessEnv): Company | undefined {
  if (!issuer || !clientId || !clientSecret) return undefined;
  return { issuer, clientId, clientSecret, directoryToken };
}
