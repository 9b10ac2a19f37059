import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import { Environment } from './environment.js';

/** The variables as they are set, and the names of those that hold a bad value. Empty is unset. */
export function readEnvironment(variables: NodeJS.ProcessEnv = process.env) {
  const set = Object.entries(variables).filter(([, value]) => value !== undefined && value !== '');
  const environment = plainToInstance(Environment, Object.fromEntries(set), {
    enableImplicitConversion: true,
    exposeDefaultValues: true,
  });
  const invalid = validateSync(environment, { forbidUnknownValues: false }).map((e) => e.property);
  return { environment, invalid };
}
