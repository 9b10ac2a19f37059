import { NestFactory } from '@nestjs/core';
import { AppsAdministrationService } from '../administration/apps-administration.service.js';
import { AuditAdministrationService } from '../administration/audit-administration.service.js';
import { BlocksAdministrationService } from '../administration/blocks-administration.service.js';
import { BudgetAdministrationService } from '../administration/budget-administration.service.js';
import { ClientsAdministrationService } from '../administration/clients-administration.service.js';
import { InvitesAdministrationService } from '../administration/invites-administration.service.js';
import { RecoveryAdministrationService } from '../administration/recovery-administration.service.js';
import { UsersAdministrationService } from '../administration/users-administration.service.js';
import type { Config } from '../config/config.js';
import { AdminModule } from './admin.module.js';
import { operatingSystemUser } from './operating-system-user.js';
import { StderrLogger } from './stderr.logger.js';
import type { Administration } from './task.js';
import type { Terminal } from './terminal.js';

/**
 * Does some work on the service's storage as the operating-system user. When it resolves, the events of it
 * are written and the replicas have been told. @throws NotMigratedError
 */
export async function withAdministration<Result>(
  config: Config,
  terminal: Terminal,
  work: (administration: Administration) => Promise<Result>,
): Promise<Result> {
  const app = await NestFactory.createApplicationContext(AdminModule.forRoot(config), {
    logger: new StderrLogger(terminal),
    abortOnError: false,
  });
  try {
    return await work({
      actor: operatingSystemUser(),
      apps: app.get(AppsAdministrationService),
      audit: app.get(AuditAdministrationService),
      blocks: app.get(BlocksAdministrationService),
      budgets: app.get(BudgetAdministrationService),
      clients: app.get(ClientsAdministrationService),
      invites: app.get(InvitesAdministrationService),
      recovery: app.get(RecoveryAdministrationService),
      users: app.get(UsersAdministrationService),
      interruption: () => terminal.interruption(),
    });
  } finally {
    await app.close();
  }
}
