import { NestFactory } from '@nestjs/core';
import { administrationServices } from '../administration/administration.module.js';
import type { Extension } from '../app.module-definition.js';
import type { Config } from '../config/config.js';
import { AdminModule } from './admin.module.js';
import { operatingSystemUser } from './operating-system-user.js';
import { StderrLogger } from './stderr.logger.js';
import type { Administration } from './task.js';
import type { Terminal } from './terminal.js';

export interface Surroundings {
  readonly terminal: Terminal;
  /** The extensions that teams add to the service. */
  readonly extensions: readonly Extension[];
  /** The actor of the audit trail; the operating-system user by default. */
  readonly actor?: string | undefined;
}

/**
 * Runs some work on the service's storage. When it resolves, its events are written and the replicas have been
 * notified.
 * @throws NotMigratedError
 */
export async function withAdministration<Result>(
  config: Config,
  { terminal, extensions, actor }: Surroundings,
  work: (administration: Administration) => Promise<Result>,
): Promise<Result> {
  const app = await NestFactory.createApplicationContext(AdminModule.forRoot(config, extensions), {
    logger: new StderrLogger(terminal),
    abortOnError: false,
  });
  try {
    return await work({
      ...administrationServices(app),
      actor: actor ?? operatingSystemUser(terminal.variables),
      interruption: () => terminal.interruption(),
    });
  } finally {
    await app.close();
  }
}
