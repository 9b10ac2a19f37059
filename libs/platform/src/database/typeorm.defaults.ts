import { AbstractLogger } from 'typeorm';

class SilentLogger extends AbstractLogger {
  protected override writeLog(): void {}
}

/** TypeORM changes no schema on its own and prints nothing: whatever fails is thrown. */
export const typeormDefaults = {
  synchronize: false,
  migrationsRun: false,
  logging: false,
  logger: new SilentLogger(),
} as const;
