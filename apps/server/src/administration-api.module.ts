import type { DynamicModule } from '@nestjs/common';
import { OAuthAdministrationModule } from '#libs/oauth';
import { AdminApiModule } from './administration/http/admin-api.module.js';
import { AdministrationModule } from './administration/administration.module.js';
import { recoveryOriginOf } from './administration/values.js';
import type { BuiltIn } from './app.module-definition.js';
import type { Config } from './config/config.js';

/** Administration over HTTP, where ADMIN_TOKEN or ADMIN_TOKENS_FILE is set. */
export function administrationApi(
  config: Config,
  { accounts, budget, events, metrics }: BuiltIn,
  audit: DynamicModule,
): DynamicModule[] {
  const { token, tokensFile } = config.management?.admin ?? {};
  if (token === undefined && tokensFile === undefined) return [];
  const administration = AdministrationModule.forRoot({
    recoveryOrigin: recoveryOriginOf(config),
    publicOrigins: config.publicOrigins,
    imports: [accounts, OAuthAdministrationModule, budget, audit, events],
  });
  return [
    AdminApiModule.forRoot({
      token,
      tokensFile,
      variables: config.variables,
      imports: [accounts, administration, metrics],
    }),
  ];
}
