import type { DynamicModule } from '@nestjs/common';
import { OAuthAdministrationModule } from '#libs/oauth';
import { AdminApiModule } from './administration/http/admin-api.module.js';
import { AdministrationModule } from './administration/administration.module.js';
import { recoveryOriginOf } from './administration/recovery-origin.js';
import type { BuiltIn } from './app.module-definition.js';
import type { Config } from './config/config.js';

/** Administration over HTTP, where ADMIN_TOKEN is set. */
export function administrationApi(
  config: Config,
  { accounts, budget, events }: BuiltIn,
  audit: DynamicModule,
): DynamicModule[] {
  const token = config.management?.adminToken;
  if (token === undefined) return [];
  const administration = AdministrationModule.forRoot({
    recoveryOrigin: recoveryOriginOf(config),
    imports: [accounts, OAuthAdministrationModule, budget, audit, events],
  });
  return [
    AdminApiModule.forRoot({
      token,
      variables: config.variables,
      imports: [accounts, administration],
    }),
  ];
}
