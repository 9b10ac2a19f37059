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

type Nullable<T> = T | null | undefined;

/** A whole number (a counter, milliseconds) in a `bigint` column, which Postgres returns as text. */
export const wholeNumber = {
  to: (value: Nullable<number>) => value,
  from: (value: Nullable<number | string>) => (value == null ? value : Number(value)),
};
