import { AbstractLogger } from 'typeorm';

class SilentLogger extends AbstractLogger {
  protected override writeLog(): void {}
}

/** TypeORM changes no schema by itself and prints nothing: every failure is thrown. */
export const typeormDefaults = {
  synchronize: false,
  migrationsRun: false,
  logging: false,
  logger: new SilentLogger(),
} as const;
